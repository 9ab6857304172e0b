package io.millrace.server.accounting.daylog;

import io.millrace.schemas.common.FactMeta;
import io.millrace.server.accounting.daylog.LogLine.Event;
import io.millrace.server.accounting.daylog.LogLine.LogObjectKind;
import java.time.ZoneId;

/** Puts lines into the server's day log. */
public final class ServerLogLines {

  private final LogFolders folders;
  private final LogMasks masks;
  private final LogLine line;

  public ServerLogLines(LogFolders folders, LogMasks masks, ZoneId zone) {
    this.folders = folders;
    this.masks = masks;
    this.line = new LogLine(zone);
  }

  void job(FactMeta meta, Event event, String jobId, String text) {
    add(meta, event, LogObjectKind.JOB, jobId, text);
  }

  void add(FactMeta meta, Event event, LogObjectKind kind, String name, String text) {
    if (event.in(masks.server())) {
      String daemon = "Server@" + masks.host();
      folders
          .server()
          .add(meta.getAtMs(), line.of(meta.getAtMs(), event, daemon, kind, name, text));
    }
  }

  /** Whoever is behind a fact, as user@host. */
  String user(FactMeta meta) {
    return meta.getPrincipal() + "@" + masks.host();
  }

  String host() {
    return masks.host();
  }

  /** The part of a job's id behind the dot. */
  String server(String jobId) {
    return jobId.substring(jobId.indexOf('.') + 1);
  }
}
