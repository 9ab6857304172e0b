package io.millrace.ops.installation;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A small disk on a folder, to be filled. */
record FullDisk(Path folder) implements AutoCloseable {

  private static final int PAGE = 4096;

  /** Mounts a disk of 256 KiB; null where that is not permitted. */
  static FullDisk on(Path folder) throws IOException, InterruptedException {
    return on(folder, "256k");
  }

  /** Mounts a disk of this size; null where that is not permitted. */
  static FullDisk on(Path folder, String size) throws IOException, InterruptedException {
    String option = "size=" + size;
    return call("mount", "-t", "tmpfs", "-o", option, "millrace-small", folder.toString()) == 0
        ? new FullDisk(folder)
        : null;
  }

  private static int call(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  void fill(Path filler) throws IOException {
    try (OutputStream out = Files.newOutputStream(filler)) {
      while (folder.toFile().getUsableSpace() > 0) {
        out.write(new byte[PAGE]);
      }
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    if (call("umount", "-l", folder.toString()) != 0) {
      throw new IOException(folder + " stays mounted");
    }
  }
}
