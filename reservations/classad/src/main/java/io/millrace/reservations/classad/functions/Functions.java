package io.millrace.reservations.classad.functions;

import io.millrace.reservations.classad.evaluation.FunctionTable;

/** All functions of HTCondor's reference manual but those about its users' accounts. */
public final class Functions {

  public static final FunctionTable ALL =
      new FunctionTable(
          TypeFunctions.TABLE,
          ListFunctions.TABLE,
          NumberFunctions.TABLE,
          TimeFunctions.TABLE,
          StringFunctions.TABLE,
          VersionFunctions.TABLE,
          PatternFunctions.TABLE,
          StringListFunctions.TABLE,
          ContextFunctions.TABLE,
          EnvironmentFunctions.TABLE);

  private Functions() {}
}
