package io.millrace.ops.bench.site;

import java.io.IOException;

/** A queue's line of {@code qstat -Q}: how many jobs are queued, running, held and so on. */
public record QueueStatusLine(long queued, long running, long others) {

  private static final int QUEUED = 5;
  private static final int RUNNING = 6;
  private static final int LAST = 10;

  public static QueueStatusLine of(String said, String queue) throws IOException {
    for (String line : said.lines().toList()) {
      String[] columns = line.strip().split("\\s+");
      if (columns.length > LAST && columns[0].equals(queue)) {
        long others = 0;
        for (int column = RUNNING + 1; column <= LAST; column++) {
          others += Long.parseLong(columns[column]);
        }
        return new QueueStatusLine(
            Long.parseLong(columns[QUEUED]), Long.parseLong(columns[RUNNING]), others);
      }
    }
    throw new IOException("qstat -Q does not show " + queue + ": " + said);
  }

  public long unfinished() {
    return queued + running + others;
  }
}
