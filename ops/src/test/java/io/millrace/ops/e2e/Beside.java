package io.millrace.ops.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A test that mostly waits, for hosts to be missed or jobs to end: it runs while others work, and
 * those that are marked one after another. All that have networks of their own are among them,
 * since these have the same addresses.
 */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("beside")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Beside {}
