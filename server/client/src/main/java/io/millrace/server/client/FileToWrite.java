package io.millrace.server.client;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * One file that the gateway writes through the client. A replacement appears in one step; an
 * addition that fails half-way is taken back.
 */
final class FileToWrite {
  private final File target;
  private final boolean append;
  private File temporary;
  private FileOutputStream stream;
  private long lengthBefore;
  private IOException failure;

  /** Opens the file; a failure is kept for {@link #end}. */
  FileToWrite(String path, boolean append) {
    this.target = new File(path);
    this.append = append;
    try {
      if (append) {
        stream = new FileOutputStream(path, true);
        lengthBefore = target.isFile() ? target.length() : -1;
      } else {
        temporary = unusedNeighbour(path);
        stream = new FileOutputStream(temporary);
      }
    } catch (IOException e) {
      failure = e;
    }
  }

  private static File unusedNeighbour(String path) throws IOException {
    long salt = System.nanoTime();
    File candidate = new File(path + "." + Long.toString(salt & 0xffffff, 36));
    while (!candidate.createNewFile()) {
      salt++;
      candidate = new File(path + "." + Long.toString(salt & 0xffffff, 36));
    }
    return candidate;
  }

  void add(byte[] part) {
    if (failure == null) {
      try {
        stream.write(part);
      } catch (IOException e) {
        failure = e;
      }
    }
  }

  /** Brings the content to its place, or says why not; nothing is left behind then. */
  void end() throws IOException {
    if (failure == null) {
      try {
        // A pipe or a terminal keeps nothing that could be brought to a disk.
        if (!append || lengthBefore >= 0) {
          stream.getFD().sync();
        }
        stream.close();
        if (!append) {
          Files.move(temporary.toPath(), target.toPath(), StandardCopyOption.ATOMIC_MOVE);
        }
        return;
      } catch (IOException e) {
        failure = e;
      }
    }
    abandon();
    throw failure;
  }

  /** Takes back what a write that did not end has left. */
  void abandon() {
    try {
      if (stream != null) {
        stream.close();
      }
      if (temporary != null) {
        Files.deleteIfExists(temporary.toPath());
      } else if (stream != null && lengthBefore >= 0) {
        try (FileChannel channel = FileChannel.open(target.toPath(), StandardOpenOption.WRITE)) {
          channel.truncate(lengthBefore);
        }
      }
    } catch (IOException e) {
      failure = failure == null ? e : failure;
    }
  }
}
