package io.millrace.ops.accounting;

import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.HomeOption;
import io.millrace.ops.word.Word;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.UsageException;
import io.millrace.schemas.registry.Codecs;
import io.millrace.schemas.registry.RegistryException;
import io.millrace.server.accounting.Accounting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;

/**
 * {@code accounting}: writes accounting files for the whole ledger into an empty folder. The lines
 * equal those of the files that the running part writes; only the order of lines of different
 * shards may differ.
 */
public final class AccountingWord implements Word {

  @Override
  public String name() {
    return "accounting";
  }

  @Override
  public String summary() {
    return "write the accounting files of all that the ledger holds anew (--into DIR)";
  }

  @Override
  public int run(List<String> args, Console console) throws IOException, UsageException {
    GivenOptions options =
        HomeOption.only(
                "accounting",
                "Writes accounting files anew from the ledger, up to this moment. Those that are"
                    + " written all the time, in HOME/server_priv/accounting, stay as they are.")
            .value("--into", "DIR", "an empty or new folder for the files")
            .parse(args);
    Home home = HomeOption.of(options);
    Path folder = Path.of(options.require("--into"));
    if (!Files.exists(home.settings())) {
      throw new IOException(home.root() + " is no home of Millrace");
    }
    if (Files.exists(folder) && !empty(folder)) {
      throw options.wrong("--into " + folder + " is not empty: nothing is written over");
    }
    Map<String, Object> kafka =
        new HashMap<>(ClientSettings.read(home.client(KafkaPrincipal.MONITOR)));
    kafka.put("bootstrap.servers", ClusterSettings.read(home).bootstrapServers());
    try (Accounting accounting =
        new Accounting(kafka, Codecs.open(kafka), folder, Clock.systemDefaultZone(), null)) {
      accounting.catchUp();
    } catch (RegistryException | KafkaException e) {
      throw new IOException(e.getMessage(), e);
    }
    long lines = 0;
    List<Path> files = days(folder);
    for (Path file : files) {
      try (Stream<String> all = Files.lines(file)) {
        lines += all.count();
      }
    }
    console.say(
        lines
            + " lines in "
            + files.size()
            + (files.size() == 1 ? " file in " : " files in ")
            + folder);
    return 0;
  }

  private static boolean empty(Path folder) throws IOException {
    try (Stream<Path> inside = Files.list(folder)) {
      return inside.findAny().isEmpty();
    }
  }

  private static List<Path> days(Path folder) throws IOException {
    try (Stream<Path> inside = Files.list(folder)) {
      return inside.filter(Files::isRegularFile).sorted().toList();
    }
  }
}
