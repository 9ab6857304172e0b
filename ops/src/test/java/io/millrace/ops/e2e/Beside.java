package io.millrace.ops.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Set;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;

/**
 * Marks a test class with an installation of its own, or none: it runs in parallel with others, its
 * own tests one after another.
 */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(providers = Beside.OneAfterAnother.class)
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Beside {

  /** A lock of this class alone. */
  final class OneAfterAnother implements ResourceLocksProvider {
    @Override
    public Set<Lock> provideForClass(Class<?> test) {
      return Set.of(new Lock("class " + test.getName()));
    }
  }
}
