package io.millrace.ops.dist;

import io.millrace.ops.launcher.Launcher;
import io.millrace.server.campaigns.command.CampaignCommands;
import io.millrace.server.gateway.command.CommandTable;
import io.millrace.server.gateway.command.Version;
import io.millrace.server.gateway.help.ManPage;
import io.millrace.server.gateway.help.Page;
import io.millrace.server.gridengine.Pages;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** {@code Assemble CHECKOUT}: fills {@code ops/target/dist}; run by the build. */
public final class Assemble {

  private static final Set<String> ROCKSDB_KEPT =
      Set.of("librocksdbjni-linux64.so", "librocksdbjni-linux-aarch64.so");

  private static final int COMPILE_PATIENCE_S = 60;

  private final Path checkout;
  private final Path dist;
  private boolean jarsChanged;

  private Assemble(Path checkout) {
    this.checkout = checkout;
    this.dist = checkout.resolve("ops/target/dist");
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length != 1) {
      throw new IllegalArgumentException("Assemble takes the folder of the checkout");
    }
    new Assemble(Path.of(args[0]).toAbsolutePath().normalize()).run();
  }

  private void run() throws IOException, InterruptedException {
    Files.createDirectories(dist.resolve("lib"));
    Files.createDirectories(dist.resolve("bin"));
    jars();
    if (jarsChanged) {
      dropArchives();
    }
    Path works = checkout.resolve("ops/target/third-party/list.txt");
    new Supply(checkout, dist, Version.text()).write(ThirdParty.read(works));
    ConnectFolder.copy(
        checkout.resolve("connectors/connect/target/plugin/millrace"),
        dist.resolve("lib"),
        dist.resolve("connect/millrace"));
    scripts();
    copyProgram(
        checkout.resolve(
            "connectors/slurm/src/main/resources/io/millrace/connectors/slurm/millrace-slurm-starts"),
        "millrace-slurm-starts");
    copyProgram(
        checkout.resolve(
            "connectors/openpbs/src/main/resources/io/millrace/connectors/openpbs/millrace-pbs-hook.py"),
        "millrace-pbs-hook.py");
    manual();
    Path client = checkout.resolve("server/client/src/main/c/millrace-client.c");
    Path supervisor = checkout.resolve("connectors/local/src/main/c/millrace-supervisor.c");
    if (!compile(client, "millrace-client")) {
      copyProgram(dist.resolve("bin/millrace-client-java"), "millrace-client");
    }
    if (!compile(supervisor, "millrace-supervisor")) {
      copyProgram(
          checkout.resolve("connectors/local/src/main/sh/millrace-supervisor.sh"),
          "millrace-supervisor");
    }
    Path outside = checkout.resolve("connectors/bridge/src/main/c/millrace-outside.c");
    if (!compile(outside, "millrace-outside")) {
      // Nothing takes its place: sudo then starts the commands themselves.
      Files.deleteIfExists(dist.resolve("bin/millrace-outside"));
    }
  }

  private void jars() throws IOException {
    Set<String> wanted = brought();
    for (String name : wanted) {
      copyJar(checkout.resolve("ops/target/dependency").resolve(name));
    }
    try (Stream<Path> jars = Files.list(checkout.resolve("ops/target"))) {
      for (Path jar : jars.filter(Assemble::isOpsJar).toList()) {
        wanted.add(jar.getFileName().toString());
        copyJar(jar);
      }
    }
    try (Stream<Path> jars = Files.list(dist.resolve("lib"))) {
      for (Path jar : jars.toList()) {
        if (!wanted.contains(jar.getFileName().toString())) {
          Files.delete(jar);
          jarsChanged = true;
        }
      }
    }
  }

  /** Names of the jars on this build's class path; a folder may have older versions of them. */
  private Set<String> brought() throws IOException {
    Set<String> names = new HashSet<>();
    String all = Files.readString(checkout.resolve("ops/target/third-party/classpath"));
    for (String jar : all.strip().split(File.pathSeparator)) {
      names.add(Path.of(jar).getFileName().toString());
    }
    return names;
  }

  private static boolean isOpsJar(Path path) {
    String name = path.getFileName().toString();
    return name.startsWith("millrace-ops-") && name.endsWith(".jar");
  }

  /**
   * Copies a jar. That of RocksDB has native libraries for fourteen platforms, of which two are
   * kept.
   */
  private void copyJar(Path jar) throws IOException {
    Path target = dist.resolve("lib").resolve(jar.getFileName());
    boolean same =
        Files.exists(target)
            && Files.getLastModifiedTime(target).equals(Files.getLastModifiedTime(jar));
    if (same) {
      return;
    }
    jarsChanged = true;
    Path fresh = dist.resolve("lib").resolve(jar.getFileName() + ".new");
    if (jar.getFileName().toString().startsWith("rocksdbjni-")) {
      strip(jar, fresh);
    } else {
      Files.copy(jar, fresh, StandardCopyOption.REPLACE_EXISTING);
    }
    Files.setLastModifiedTime(fresh, Files.getLastModifiedTime(jar));
    Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void strip(Path jar, Path target) throws IOException {
    try (ZipFile in = new ZipFile(jar.toFile());
        ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(target))) {
      for (ZipEntry entry : in.stream().toList()) {
        boolean library = entry.getName().startsWith("librocksdbjni");
        if (library && !ROCKSDB_KEPT.contains(entry.getName())) {
          continue;
        }
        out.putNextEntry(new ZipEntry(entry.getName()));
        try (InputStream content = in.getInputStream(entry)) {
          content.transferTo(out);
        }
        out.closeEntry();
      }
    }
  }

  private void dropArchives() throws IOException {
    Path archives = dist.resolve("cds");
    if (!Files.isDirectory(archives)) {
      return;
    }
    try (Stream<Path> files = Files.list(archives)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
  }

  private void scripts() throws IOException {
    try (Stream<Path> scripts = Files.list(checkout.resolve("ops/src/main/dist/bin"))) {
      for (Path script : scripts.toList()) {
        copyProgram(script, script.getFileName().toString());
      }
    }
  }

  /** Writes the manual pages; man(1) looks for them beside the folders of the search path. */
  private void manual() throws IOException {
    List<Page> pages = new ArrayList<>(CommandTable.pages());
    pages.add(Launcher.page());
    pages.addAll(CampaignCommands.manual());
    manual(dist.resolve("share/man"), pages);
    // Grid Engine's commands share names with PBS's, so their pages have a folder of their own.
    manual(dist.resolve("share/sge/man"), Pages.all());
  }

  private static void manual(Path manual, Collection<Page> pages) throws IOException {
    Path folder = manual.resolve("man" + ManPage.SECTION);
    Files.createDirectories(folder);
    Set<String> wanted = new HashSet<>();
    for (Page page : pages) {
      String name = page.name() + "." + ManPage.SECTION;
      wanted.add(name);
      Files.writeString(folder.resolve(name), ManPage.of(page, Version.text()));
    }
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(f -> !wanted.contains(f.getFileName().toString())).toList()) {
        Files.delete(file);
      }
    }
  }

  private void copyProgram(Path from, String name) throws IOException {
    Path fresh = dist.resolve("bin/" + name + ".new");
    Files.copy(from, fresh, StandardCopyOption.REPLACE_EXISTING);
    Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.move(fresh, dist.resolve("bin/" + name), StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Compiles one C file.
   *
   * @return false when there is no C compiler, or the compilation fails
   */
  private boolean compile(Path source, String name) throws IOException, InterruptedException {
    Path target = dist.resolve("bin/" + name);
    Path fresh = dist.resolve("bin/" + name + ".new");
    List<String> command =
        List.of("cc", "-O2", "-o", fresh.toString(), source.toString(), "-lpthread");
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      System.out.println("no C compiler for " + name);
      return false;
    }
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes());
    if (!process.waitFor(COMPILE_PATIENCE_S, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      System.out.println("cc cannot compile " + source + ":\n" + said);
      return false;
    }
    Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
    return true;
  }
}
