package io.millrace.schemas;

import java.util.Set;
import org.apache.avro.Conversion;
import org.apache.avro.util.ClassSecurityValidator;
import org.apache.avro.util.ClassSecurityValidator.ClassSecurityPredicate;

/**
 * Tells Avro that the generated records, enums and fixed types of the language may be instantiated
 * when records are decoded. Avro refuses classes that are not on its list of trusted ones; entries
 * that are there already stay.
 *
 * <p>It is a Conversion only because Avro loads the services of that name before it makes the first
 * generated record, in every process and test, so that nobody has to remember a call or a system
 * property. It converts nothing: no schema names its logical type.
 */
public final class TrustedLanguage extends Conversion<TrustedLanguage> {

  private static final Set<String> PACKAGES =
      Set.of(
          "io.millrace.schemas.common",
          "io.millrace.schemas.command",
          "io.millrace.schemas.fact",
          "io.millrace.schemas.state",
          "io.millrace.schemas.output",
          "io.millrace.schemas.campaign");

  static {
    ClassSecurityPredicate before = ClassSecurityValidator.getGlobal();
    ClassSecurityValidator.setGlobal(
        ClassSecurityValidator.composite(before, type -> PACKAGES.contains(type.getPackageName())));
  }

  @Override
  public Class<TrustedLanguage> getConvertedType() {
    return TrustedLanguage.class;
  }

  @Override
  public String getLogicalTypeName() {
    return "io.millrace.schemas.trusted-language";
  }
}
