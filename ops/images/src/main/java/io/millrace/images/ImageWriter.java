package io.millrace.images;

import com.google.cloud.tools.jib.api.CacheDirectoryCreationException;
import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.InvalidImageReferenceException;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.JibContainer;
import com.google.cloud.tools.jib.api.JibContainerBuilder;
import com.google.cloud.tools.jib.api.RegistryException;
import com.google.cloud.tools.jib.api.TarImage;
import com.google.cloud.tools.jib.api.buildplan.AbsoluteUnixPath;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import com.google.cloud.tools.jib.api.buildplan.FilePermissions;
import com.google.cloud.tools.jib.api.buildplan.ImageFormat;
import com.google.cloud.tools.jib.api.buildplan.Port;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Writes images of a distribution.
 *
 * @param distribution as the build leaves it
 * @param folder for the tars
 * @param oci whether they are image layouts of the Open Container Initiative; otherwise what {@code
 *     docker save} writes
 * @param version which is the tag, too
 */
record ImageWriter(Path distribution, Path folder, boolean oci, String version) {

  private static final FilePermissions READ = FilePermissions.fromOctalString("644");
  private static final FilePermissions RUN = FilePermissions.fromOctalString("755");
  private static final Instant TIME = Instant.EPOCH.plusSeconds(1);

  private static final String LAUNCHER =
      "#!/bin/sh\nexec "
          + String.join(" ", ImageKind.TOOLS.entrypoint()).replace("*", "'*'")
          + " \"$@\"\n";

  /**
   * Writes one tar for each kind.
   *
   * @param base root file system as a tar or a folder
   * @param say called with one line for each image
   * @throws IOException in one line
   */
  void write(Path base, List<ImageKind> kinds, Consumer<String> say)
      throws IOException, InterruptedException, ExecutionException {
    if (!Files.isDirectory(distribution.resolve("lib"))) {
      throw new IOException("there is no distribution in " + distribution);
    }
    Files.createDirectories(folder);
    Path room = Files.createTempDirectory(folder, ".work");
    try {
      BaseFiles files = BaseFiles.of(base, room);
      Path bill = room.resolve("sbom.json");
      Files.writeString(bill, ImageBill.of(distribution.resolve("sbom.json"), files.packages()));
      Files.writeString(room.resolve("millrace"), LAUNCHER);
      Files.createDirectories(room.resolve("volume"));
      for (ImageKind kind : kinds) {
        Path below = room.resolve(kind.isPart() ? "part.tar" : "tools.tar");
        if (!Files.exists(below)) {
          BaseArchive.write(files.tar(), kind.isPart(), below);
        }
        JibContainer made = one(kind, below, room);
        say.accept(tar(kind) + " " + made.getDigest());
      }
    } catch (InvalidImageReferenceException
        | RegistryException
        | CacheDirectoryCreationException e) {
      throw new IOException("no image can be written: " + e.getMessage(), e);
    } finally {
      delete(room);
    }
  }

  private Path tar(ImageKind kind) {
    return folder.resolve("millrace-" + kind.text() + ".tar");
  }

  private JibContainer one(ImageKind kind, Path base, Path room)
      throws InvalidImageReferenceException,
          IOException,
          InterruptedException,
          RegistryException,
          CacheDirectoryCreationException,
          ExecutionException {
    JibContainerBuilder image =
        Jib.from(TarImage.at(base))
            .setFormat(oci ? ImageFormat.OCI : ImageFormat.Docker)
            .addFileEntriesLayer(files("libraries", "lib", name -> !name.startsWith("millrace-")))
            .addFileEntriesLayer(documents(room))
            .addFileEntriesLayer(files("millrace", "lib", name -> name.startsWith("millrace-")))
            .addFileEntriesLayer(programs(room))
            .setEntrypoint(kind.entrypoint())
            .setProgramArguments(kind.arguments())
            .setUser(kind.user())
            .setVolumes(AbsoluteUnixPath.get(ImageKind.VOLUME))
            .setWorkingDirectory(AbsoluteUnixPath.get(ImageKind.VOLUME))
            .setEnvironment(ImageKind.ENVIRONMENT)
            .addLabel("org.opencontainers.image.title", "millrace-" + kind.text())
            .addLabel("org.opencontainers.image.version", version)
            .addLabel("org.opencontainers.image.licenses", "Apache-2.0")
            .setCreationTime(Instant.EPOCH);
    if (kind.isPart()) {
      image.setExposedPorts(Set.of(Port.tcp(ImageKind.HEALTH_PORT)));
    }
    Files.deleteIfExists(tar(kind));
    return image.containerize(
        Containerizer.to(TarImage.at(tar(kind)).named("millrace/" + kind.text() + ":" + version))
            .setBaseImageLayersCache(room.resolve("cache"))
            .setApplicationLayersCache(room.resolve("cache"))
            .setOfflineMode(true)
            .setToolName("millrace"));
  }

  private FileEntriesLayer files(String name, String below, Predicate<String> wanted)
      throws IOException {
    FileEntriesLayer.Builder layer = FileEntriesLayer.builder().setName(name);
    for (Path file : sorted(distribution.resolve(below))) {
      if (wanted.test(file.getFileName().toString())) {
        add(layer, file, ImageKind.ROOT + "/" + distribution.relativize(file), READ);
      }
    }
    return layer.build();
  }

  private FileEntriesLayer documents(Path room) throws IOException {
    FileEntriesLayer.Builder layer = FileEntriesLayer.builder().setName("documents");
    for (String below : List.of("licenses", "share")) {
      for (Path file : sorted(distribution.resolve(below))) {
        add(layer, file, ImageKind.ROOT + "/" + distribution.relativize(file), READ);
      }
    }
    add(layer, distribution.resolve("NOTICE"), ImageKind.ROOT + "/NOTICE", READ);
    add(layer, room.resolve("sbom.json"), ImageKind.ROOT + "/sbom.json", READ);
    return layer.build();
  }

  private FileEntriesLayer programs(Path room) throws IOException {
    FileEntriesLayer.Builder layer = FileEntriesLayer.builder().setName("programs");
    for (Path file : sorted(distribution.resolve("bin"))) {
      add(layer, file, ImageKind.ROOT + "/" + distribution.relativize(file), RUN);
    }
    add(layer, room.resolve("millrace"), "/usr/local/bin/millrace", RUN);
    // A volume begins as this folder, so that it is the user's who writes to it.
    layer.addEntry(
        room.resolve("volume"),
        AbsoluteUnixPath.get(ImageKind.VOLUME),
        RUN,
        TIME,
        ImageKind.USER + ":" + ImageKind.USER);
    return layer.build();
  }

  private static void add(
      FileEntriesLayer.Builder layer, Path file, String at, FilePermissions mode) {
    layer.addEntry(file, AbsoluteUnixPath.get(at), mode, TIME);
  }

  private static List<Path> sorted(Path below) throws IOException {
    if (!Files.isDirectory(below)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(below)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
