package io.millrace.schedulers.dialects.gridengine.proof;

import io.millrace.schedulers.dialects.gridengine.GridEngineScene;
import io.millrace.schedulers.gridengine.language.options.AccessListOptions;
import io.millrace.schedulers.gridengine.language.options.EnvironmentOptions;
import io.millrace.schedulers.gridengine.language.options.HostOptions;
import io.millrace.schedulers.gridengine.language.options.ObjectTables;
import io.millrace.schedulers.gridengine.language.options.Option;
import io.millrace.schedulers.gridengine.language.options.OptionTable;
import io.millrace.schedulers.gridengine.language.options.QueueOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The proofs of all tables. */
public final class Proofs {

  private final List<Proof> all = new ArrayList<>();

  public static List<Proof> all() {
    Proofs proofs = new Proofs();
    proofs.all.addAll(SchedulerProofs.list());
    proofs.all.addAll(ParamsProofs.list());
    proofs.all.addAll(QueueProofs.list());
    proofs.all.addAll(EnvironmentProofs.list());
    proofs.all.addAll(HostProofs.list());
    proofs.all.addAll(AccessListProofs.list());
    proofs.all.addAll(CellProofs.list());
    for (OptionTable table : ObjectTables.all().values()) {
      proofs.keptAndFixed(table);
    }
    return proofs.all;
  }

  /** Options without effect must be printed as they were read; fixed ones must be refused. */
  private void keptAndFixed(OptionTable table) {
    for (Option option : table.options()) {
      if (option.effect() == Option.Effect.FIXED) {
        all.add(
            new Proof(
                table,
                option.name(),
                "any other value is refused, with file, line and the valid one",
                begin(table) + option.name() + " something_else\n",
                settings -> "",
                "text:"
                    + (begin(table).isEmpty() ? 1 : 2)
                    + ": "
                    + option.name()
                    + " is something_else, but Millrace only knows "
                    + option.form().expected()));
      } else if (option.effect() == Option.Effect.KEPT) {
        String value = unusual(option);
        all.add(
            new Proof(
                table,
                option.name(),
                "printed again as it was read",
                begin(table) + option.name() + " " + value + "\n",
                settings -> line(table.print(settings), option.name()),
                value));
      }
    }
  }

  /** Line that the object's text must have. */
  static String begin(OptionTable table) {
    if (table == QueueOptions.TABLE) {
      return "qname all.q\n";
    }
    if (table == EnvironmentOptions.TABLE) {
      return "pe_name mpi\n";
    }
    if (table == AccessListOptions.TABLE) {
      return "name staff\n";
    }
    return table == HostOptions.TABLE ? "hostname node01\n" : "";
  }

  private static String line(String printed, String option) {
    return printed
        .lines()
        .filter(line -> line.startsWith(option + " "))
        .map(line -> line.substring(option.length()).strip())
        .findFirst()
        .orElse("");
  }

  private static String unusual(Option option) {
    for (String value :
        List.of(
            "7",
            "FALSE",
            "TRUE",
            "0:0:7",
            "cpu=0.5",
            "F",
            "least",
            "DEPT",
            "unix_behavior",
            "/some/where")) {
      if (option.form().accepts().test(value) && !value.equalsIgnoreCase(option.usual())) {
        return value;
      }
    }
    throw new IllegalStateException("no unusual value for " + option.name());
  }

  static Proof scene(
      OptionTable table,
      String option,
      String shows,
      String text,
      Function<GridEngineScene, String> see,
      String expected) {
    return new Proof(
        table,
        option,
        shows,
        text,
        settings -> see.apply(new GridEngineScene().set(settings)),
        expected);
  }
}
