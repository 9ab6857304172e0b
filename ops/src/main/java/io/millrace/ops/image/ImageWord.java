package io.millrace.ops.image;

import io.millrace.ops.word.Console;
import io.millrace.ops.word.Word;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import io.millrace.server.gateway.command.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code ./millrace image}. */
public final class ImageWord implements Word {

  private static final List<String> KINDS =
      List.of("server", "gateway", "executor", "web", "engine", "tools");

  private static final String MAIN = "io.millrace.images.ImageMain";

  @Override
  public String name() {
    return "image";
  }

  @Override
  public String summary() {
    return "images for containers, without a registry (--base TAR|FOLDER [IMAGE...])";
  }

  @Override
  public int run(List<String> arguments, Console console)
      throws IOException, InterruptedException, UsageException {
    GivenOptions options =
        ProgramOptions.ofWord("image", "Writes images of this build: " + all() + ".")
            .value("--base", "TAR|FOLDER", "root file system with Java (ops/images/base makes one)")
            .value("--folder", "FOLDER", "where to (default ops/target/images)")
            .value(
                "--format", "oci|docker", "image layouts, or as docker save writes (default oci)")
            .operands("[IMAGE...]")
            .parse(arguments);
    List<String> kinds = options.operands().isEmpty() ? KINDS : options.operands();
    for (String kind : kinds) {
      if (!KINDS.contains(kind)) {
        throw options.wrong("there is no image '" + kind + "': some of " + all());
      }
    }
    boolean oci = options.isFirst("--format", "oci", "docker", "oci");
    String base = options.require("--base");
    Path checkout = Path.of(System.getProperty("millrace.checkout", "."));
    Path module = checkout.resolve("ops/images/target");
    if (!Files.isDirectory(module.resolve("lib"))) {
      throw new IOException("this build has no " + module + ": build it as a whole first");
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-XX:+UseSerialGC", "-cp", module + "/classes:" + module + "/lib/*", MAIN));
    command.add(checkout.resolve("ops/target/dist").toString());
    command.add(base);
    command.add(options.get("--folder").orElse(checkout.resolve("ops/target/images").toString()));
    command.addAll(List.of(oci ? "oci" : "docker", Version.text()));
    command.addAll(kinds);
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }

  private static String all() {
    return String.join(", ", KINDS);
  }
}
