package io.millrace.ops.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;

/**
 * Tests in an installation that several classes have in common: see {@link SharedSite}. Those of
 * one installation come one after another, beside all others. Parameters of type {@link Site},
 * {@link Account} and {@link MungeDaemon} are the installation, the user, and who vouches for
 * users, null where nobody does.
 */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(providers = Shared.OneAfterAnother.class)
@ExtendWith(SharedSite.class)
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface Shared {

  /** Name of the ordinary user that is made for the class; no other class has it. */
  String user();

  /** Which of the installations; as many classes in each as take equally long. */
  String site() default "first";

  /** The lock of the class's installation. */
  final class OneAfterAnother implements ResourceLocksProvider {
    @Override
    public Set<Lock> provideForClass(Class<?> test) {
      return Set.of(new Lock("site " + test.getAnnotation(Shared.class).site()));
    }
  }
}
