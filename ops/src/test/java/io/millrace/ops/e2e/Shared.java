package io.millrace.ops.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests in the installation that all classes so marked have in common: see {@link SharedSite}. They
 * come one after another, beside what has an installation of its own. Parameters of type {@link
 * Site} and {@link Account} are the installation and the user.
 */
@Beside
@ExtendWith(SharedSite.class)
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface Shared {

  /** Name of the ordinary user that is made for the class; no other class has it. */
  String user();
}
