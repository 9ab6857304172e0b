package io.millrace.ops;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import io.millrace.ops.structure.ClassCircle;
import io.millrace.ops.structure.SourceFileCount;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The arrows between the modules, and what the pure parts may not touch. The rules are tests of
 * JUnit itself: what ArchUnit's own test engine found was not reported by the build.
 */
@Tag("rules") // the gate runs it before all others
final class ArchitectureTest {
  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("io.millrace");

  private static final String PLANTED = "io.millrace.ops.structure.planted";

  private static final String SCHEMAS = "io.millrace.schemas..";
  private static final String DOOR = "io.millrace.schemas.door..";
  private static final String RESERVATIONS = "io.millrace.reservations..";
  private static final String SCHEDULERS = "io.millrace.schedulers..";
  private static final String LANGUAGES = "io.millrace.schedulers.*.language..";
  private static final String[] CAMPAIGNS = {
    "io.millrace.schedulers.campaigns.predictors..", "io.millrace.schedulers.campaigns.strategies.."
  };
  private static final String SERVER = "io.millrace.server..";
  private static final String CONNECTORS = "io.millrace.connectors..";
  private static final String OPS = "io.millrace.ops..";

  static final ArchRule SCHEMAS_IMPORT_NOTHING_OF_OURS =
      noClasses()
          .that()
          .resideInAPackage(SCHEMAS)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(RESERVATIONS, SCHEDULERS, SERVER, CONNECTORS, OPS);

  static final ArchRule RESERVATIONS_IMPORT_SCHEMAS_ONLY =
      noClasses()
          .that()
          .resideInAPackage(RESERVATIONS)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(SCHEDULERS, SERVER, CONNECTORS, OPS);

  static final ArchRule SCHEDULERS_DO_NOT_KNOW_THE_SERVER =
      noClasses()
          .that()
          .resideInAPackage(SCHEDULERS)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(SERVER, CONNECTORS, OPS);

  static final ArchRule SERVER_DOES_NOT_KNOW_THE_SCHEDULERS =
      noClasses()
          .that()
          .resideInAPackage(SERVER)
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(SCHEDULERS, CONNECTORS, OPS)
                  .and(resideOutsideOfPackage(LANGUAGES))
                  .and(resideOutsideOfPackages(CAMPAIGNS)));

  static final ArchRule ONLY_THE_CAMPAIGN_SERVER_ASKS_PREDICTORS_AND_STRATEGIES =
      noClasses()
          .that()
          .resideInAPackage(SERVER)
          .and()
          .resideOutsideOfPackage("io.millrace.server.campaigns.core..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(CAMPAIGNS);

  static final ArchRule ONLY_A_DIALECTS_COMMAND_LINE_KNOWS_ITS_LANGUAGE =
      noClasses()
          .that()
          .resideInAPackage(SERVER)
          .and()
          .resideOutsideOfPackage("io.millrace.server.gridengine..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage(LANGUAGES);

  static final ArchRule LANGUAGES_DO_NOT_KNOW_THEIR_SCHEDULERS =
      noClasses()
          .that()
          .resideInAPackage(LANGUAGES)
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(SCHEDULERS, SERVER, CONNECTORS, OPS)
                  .and(resideOutsideOfPackage(LANGUAGES)));

  static final ArchRule ONLY_OPS_KNOWS_THE_CONNECTORS =
      noClasses()
          .that()
          .resideOutsideOfPackages(CONNECTORS, OPS)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(CONNECTORS);

  static final ArchRule CORES_ARE_PURE =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.millrace.server.core..",
              "io.millrace.server.campaigns.core..",
              "io.millrace.server.campaigns.jdl..",
              "io.millrace.schedulers.core..",
              "io.millrace.schedulers.dialects..",
              LANGUAGES,
              "io.millrace.schemas.pbs..",
              RESERVATIONS)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.apache.kafka..", "org.rocksdb..", "java.net..", "java.nio.file..")
          .orShould()
          .dependOnClassesThat()
          .haveFullyQualifiedName("java.io.File")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(java.time.Instant.class, "now");

  static final ArchRule CLIENT_NEEDS_A_JDK_ONLY =
      classes()
          .that()
          .resideInAPackage("io.millrace.server.client..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "javax.net.ssl..", "io.millrace.server.client..", DOOR);

  static final ArchRule DOOR_NEEDS_A_JDK_ONLY =
      classes()
          .that()
          .resideInAPackage(DOOR)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", DOOR);

  static final ArchRule TERMINAL_NEEDS_THE_CLIENT_AND_ITS_EDITOR_ONLY =
      classes()
          .that()
          .resideInAPackage("io.millrace.server.terminal..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "org.jline..",
              "io.millrace.server.client..",
              "io.millrace.server.terminal..");

  static final ArchRule NO_EMPTY_NAMES =
      noClasses().should().haveNameMatching(".*(Manager|Helper|Util|Utils|Impl|Model|Data)");

  static final ArchRule NO_STATIC_MUTABLE_STATE =
      fields()
          .that()
          .areStatic()
          .and()
          .areNotFinal()
          .should()
          .beDeclaredIn("io.millrace.server.streams.BoundedRocks")
          .because("Kafka Streams offers its stores no other place to share a cache");

  static final ArchRule PACKAGES_ARE_FREE_OF_CYCLES = freeOfCycles("io.millrace.(**)");

  static final ArchRule NO_PACKAGE_IS_LARGE =
      classes().should(SourceFileCount.haveAtMost(30)).because("a package has one subject");

  static final ArchRule NO_LARGE_CIRCLE_OF_CLASSES =
      classes()
          .should(ClassCircle.beOfAtMost(5))
          .because("a circle is read and changed as a whole");

  private static ArchRule freeOfCycles(String packages) {
    return SlicesRuleDefinition.slices().matching(packages).should().beFreeOfCycles();
  }

  /** Turns every rule above into a test. */
  @TestFactory
  Stream<DynamicTest> rules() {
    return Arrays.stream(ArchitectureTest.class.getDeclaredFields())
        .filter(field -> field.getType() == ArchRule.class)
        .map(
            field ->
                DynamicTest.dynamicTest(
                    field.getName(), () -> ((ArchRule) field.get(null)).check(ALL)));
  }

  @Test
  void aCircleOfPackagesIsFound() {
    JavaClasses planted = new ClassFileImporter().importPackages(PLANTED);
    AssertionError found =
        assertThrows(AssertionError.class, () -> freeOfCycles(PLANTED + ".(**)").check(planted));
    assertTrue(found.getMessage().contains("Slice first"), found.getMessage());
  }

  @Test
  void aLargePackageIsFound() {
    JavaClasses planted = new ClassFileImporter().importPackages(PLANTED + ".first");
    classes().should(SourceFileCount.haveAtMost(3)).check(planted);
    AssertionError found =
        assertThrows(
            AssertionError.class,
            () -> classes().should(SourceFileCount.haveAtMost(2)).check(planted));
    assertTrue(found.getMessage().contains("has 3 source files"), found.getMessage());
  }

  @Test
  void aLargeCircleOfClassesIsFound() {
    JavaClasses planted = new ClassFileImporter().importPackages(PLANTED);
    classes().should(ClassCircle.beOfAtMost(6)).check(planted);
    AssertionError found =
        assertThrows(AssertionError.class, () -> NO_LARGE_CIRCLE_OF_CLASSES.check(planted));
    assertTrue(found.getMessage().contains("a circle of 6 classes"), found.getMessage());
  }

  @Test
  void aRuleThatIsBrokenFails() {
    ArchRule broken =
        noClasses()
            .that()
            .resideInAPackage(OPS)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(SERVER);
    assertThrows(AssertionError.class, () -> broken.check(ALL));
  }
}
