package io.millrace.connectors.local;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A class of tests that mostly wait, for runs to end or supervisors to be missed: it runs while
 * others work, and those that are marked one after another.
 */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("beside")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface ConcurrentRuns {}
