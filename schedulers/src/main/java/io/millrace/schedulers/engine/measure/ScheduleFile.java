package io.millrace.schedulers.engine.measure;

import io.millrace.schedulers.dialects.gridengine.schedule.GridEngineScheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file {@code schedule} that MONITOR=1 asks for: a section for each run. It is kept below a
 * bound: a full one becomes {@code schedule.old}.
 */
public final class ScheduleFile {

  private static final Logger LOG = LoggerFactory.getLogger(ScheduleFile.class);
  private static final long BYTES_MAX = 64 << 20;

  private final Optional<Path> file;
  private boolean failed;

  /**
   * @param file empty where nothing is to be written
   */
  public ScheduleFile(Optional<Path> file) {
    this.file = file;
  }

  /** A file that cannot be written does not stop scheduling; the error is logged once. */
  public void append(List<String> lines) {
    if (file.isEmpty()) {
      return;
    }
    Path path = file.get();
    StringBuilder text = new StringBuilder();
    text.append(GridEngineScheduler.SECTION_MARK).append('\n');
    lines.forEach(line -> text.append(line).append('\n'));
    try {
      Files.createDirectories(path.getParent());
      if (Files.exists(path) && Files.size(path) > BYTES_MAX) {
        Files.move(path, path.resolveSibling("schedule.old"), StandardCopyOption.REPLACE_EXISTING);
      }
      Files.writeString(path, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      failed = false;
    } catch (IOException e) {
      if (!failed) {
        LOG.warn("Cannot write {}: {}", path, e.toString());
      }
      failed = true;
    }
  }
}
