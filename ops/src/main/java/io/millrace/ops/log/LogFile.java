package io.millrace.ops.log;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.logging.ErrorManager;
import java.util.logging.Handler;
import java.util.logging.LogRecord;

/** A log file with rotation: older parts move to NAME.1 and NAME.2, and then are deleted. */
final class LogFile extends Handler {

  static final long BYTES_MAX = 16L << 20;
  static final int OLDER_FILES = 2;

  private final Path file;
  private final long bytesMax;
  private OutputStream out;
  private long bytes;

  LogFile(Path file) throws IOException {
    this(file, BYTES_MAX);
  }

  /**
   * @param bytesMax of each file; a single longer message gets a file of its own
   */
  LogFile(Path file, long bytesMax) throws IOException {
    this.file = file;
    this.bytesMax = bytesMax;
    setFormatter(new LogFormatter());
    open();
  }

  private void open() throws IOException {
    LogMode.create(file);
    out = new FileOutputStream(file.toFile(), true);
    bytes = Files.size(file);
  }

  @Override
  public synchronized void publish(LogRecord record) {
    if (!isLoggable(record)) {
      return;
    }
    try {
      byte[] line = getFormatter().format(record).getBytes(StandardCharsets.UTF_8);
      if (bytes > 0 && bytes + line.length > bytesMax) {
        rotate();
      }
      out.write(line);
      bytes += line.length;
    } catch (IOException e) {
      // A full disk must not stop the part that logs.
      reportError(null, e, ErrorManager.WRITE_FAILURE);
    }
  }

  private void rotate() throws IOException {
    out.close();
    for (int i = OLDER_FILES; i >= 1; i--) {
      Path from = i == 1 ? file : older(i - 1);
      if (Files.exists(from)) {
        Files.move(from, older(i), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    open();
  }

  private Path older(int number) {
    return file.resolveSibling(file.getFileName() + "." + number);
  }

  @Override
  public void flush() {}

  @Override
  public synchronized void close() {
    try {
      out.close();
    } catch (IOException e) {
      reportError(null, e, ErrorManager.CLOSE_FAILURE);
    }
  }
}
