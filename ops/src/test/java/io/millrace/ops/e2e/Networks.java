package io.millrace.ops.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A test whose hosts have networks of their own. These networks always have the same addresses, so
 * such tests run one after another, but in parallel with other tests.
 */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("networks")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface Networks {}
