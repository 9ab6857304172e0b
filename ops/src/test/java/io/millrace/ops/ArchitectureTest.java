package io.millrace.ops;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The arrows between the modules, and what the pure parts may not touch. */
@AnalyzeClasses(packages = "io.millrace", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
  private static final String SCHEMAS = "io.millrace.schemas..";
  private static final String RESERVATIONS = "io.millrace.reservations..";
  private static final String SCHEDULERS = "io.millrace.schedulers..";
  private static final String SERVER = "io.millrace.server..";
  private static final String CONNECTORS = "io.millrace.connectors..";
  private static final String OPS = "io.millrace.ops..";

  @ArchTest
  static final ArchRule SCHEMAS_IMPORT_NOTHING_OF_OURS =
      noClasses()
          .that()
          .resideInAPackage(SCHEMAS)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(RESERVATIONS, SCHEDULERS, SERVER, CONNECTORS, OPS);

  @ArchTest
  static final ArchRule RESERVATIONS_IMPORT_SCHEMAS_ONLY =
      noClasses()
          .that()
          .resideInAPackage(RESERVATIONS)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(SCHEDULERS, SERVER, CONNECTORS, OPS);

  @ArchTest
  static final ArchRule SCHEDULERS_DO_NOT_KNOW_THE_SERVER =
      noClasses()
          .that()
          .resideInAPackage(SCHEDULERS)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(SERVER, CONNECTORS, OPS);

  @ArchTest
  static final ArchRule SERVER_DOES_NOT_KNOW_THE_SCHEDULERS =
      noClasses()
          .that()
          .resideInAPackage(SERVER)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(SCHEDULERS, CONNECTORS, OPS);

  @ArchTest
  static final ArchRule ONLY_OPS_KNOWS_THE_CONNECTORS =
      noClasses()
          .that()
          .resideOutsideOfPackages(CONNECTORS, OPS)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(CONNECTORS);

  @ArchTest
  static final ArchRule CORES_ARE_PURE =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.millrace.server.core..", "io.millrace.schedulers.core..", RESERVATIONS)
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

  @ArchTest
  static final ArchRule CLIENT_NEEDS_A_JDK_ONLY =
      classes()
          .that()
          .resideInAPackage("io.millrace.server.client..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "io.millrace.server.client..");

  @ArchTest
  static final ArchRule NO_EMPTY_NAMES =
      noClasses().should().haveNameMatching(".*(Manager|Helper|Util|Utils|Impl|Model|Data)");

  @ArchTest
  static final ArchRule NO_STATIC_MUTABLE_STATE =
      fields()
          .that()
          .areStatic()
          .and()
          .areNotFinal()
          .should()
          .beDeclaredIn("io.millrace.server.streams.BoundedRocks")
          .because("Kafka Streams offers its stores no other place to share a cache");
}
