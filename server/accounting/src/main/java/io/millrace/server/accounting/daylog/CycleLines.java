package io.millrace.server.accounting.daylog;

import io.millrace.schemas.output.CycleDone;
import io.millrace.schemas.output.LogNote;
import java.time.ZoneId;
import java.util.Set;

/**
 * What engines say of their cycles, in the day logs of their schedulers. Whoever may write records
 * of cycles can say anything: only lines of scheduler objects that exist are taken, of the kinds
 * that engines have, and not too many.
 */
public final class CycleLines {

  /** Most lines of a cycle that are taken. */
  static final int MOST = 300;

  private static final int TEXT_MAX = 1_000;
  private static final Set<String> KINDS = Set.of("Job", "Req", "Sched", "Svr");

  private final LogFolders folders;
  private final LogMasks masks;
  private final LogLine line;

  public CycleLines(LogFolders folders, LogMasks masks, ZoneId zone) {
    this.folders = folders;
    this.masks = masks;
    this.line = new LogLine(zone);
  }

  public void follow(CycleDone cycle) {
    String scheduler = cycle.getScheduler();
    boolean watches = cycle.getEpoch() == 0;
    if (watches || !masks.schedulers().contains(scheduler)) {
      return;
    }
    int mask = masks.scheduler(scheduler);
    cycle.getNotes().stream()
        .limit(MOST)
        .filter(note -> (note.getEvent() & mask) != 0 && KINDS.contains(note.getKind()))
        .forEach(note -> add(scheduler, note));
  }

  private void add(String scheduler, LogNote note) {
    String text = cut(note.getText());
    String all =
        line.fine(note.getAtUs(), note.getEvent(), note.getKind(), cut(note.getName()), text);
    folders.scheduler(scheduler).add(note.getAtUs() / 1_000, all);
  }

  private static String cut(String text) {
    return text.length() > TEXT_MAX ? text.substring(0, TEXT_MAX) : text;
  }
}
