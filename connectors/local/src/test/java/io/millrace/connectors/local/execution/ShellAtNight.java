package io.millrace.connectors.local.execution;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * A test of both supervisors that the one in shell passes at night only: a run in shell takes half
 * a second of processor time. The gate has one of each kind: starts, orders, deaths, deliveries.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface ShellAtNight {

  /** For the class of the supervisor in shell. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      return !ExecutionFixture.NIGHT
              && AnnotationSupport.isAnnotated(context.getElement(), ShellAtNight.class)
          ? ConditionEvaluationResult.disabled("in shell at night")
          : ConditionEvaluationResult.enabled("");
    }
  }
}
