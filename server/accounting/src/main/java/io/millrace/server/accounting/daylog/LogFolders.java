package io.millrace.server.accounting.daylog;

import io.millrace.server.accounting.book.AccountBook;
import io.millrace.server.accounting.file.DayFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Map;
import java.util.TreeMap;

/** The folders with day logs below a home, each with one file a day. */
public final class LogFolders {

  private static final String SERVER = "server_logs";
  private static final String SCHEDULER = "sched_logs";
  private static final String DEFAULT = "default";

  private final Path home;
  private final AccountBook book;
  private final ZoneId zone;
  private final Map<String, DayFiles> open = new TreeMap<>();

  /** Cuts off what was written to any of them and not kept. */
  public LogFolders(Path home, AccountBook book, ZoneId zone) throws IOException {
    this.home = home;
    this.book = book;
    this.zone = zone;
    for (String file : book.lengths().keySet()) {
      int slash = file.indexOf('/');
      if (slash > 0 && !open.containsKey(file.substring(0, slash))) {
        open(file.substring(0, slash));
      }
    }
  }

  private DayFiles open(String folder) throws IOException {
    DayFiles files = new DayFiles(home.resolve(folder), folder + "/", zone);
    files.open(book);
    open.put(folder, files);
    return files;
  }

  private DayFiles of(String folder) {
    try {
      DayFiles files = open.get(folder);
      return files == null ? open(folder) : files;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  DayFiles server() {
    return of(SERVER);
  }

  /** As PBS calls the folder of a scheduler object. */
  DayFiles scheduler(String name) {
    boolean odd = !name.matches("[\\w.-]+");
    return of(name.equals(DEFAULT) || odd ? SCHEDULER : SCHEDULER + "_" + name);
  }

  public int unwritten() {
    return open.values().stream().mapToInt(DayFiles::unwritten).sum();
  }

  public void write() throws IOException {
    for (DayFiles files : open.values()) {
      files.write(book);
    }
  }
}
