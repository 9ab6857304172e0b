package io.millrace.server.gateway.submit;

import io.millrace.server.gateway.operand.TextLines;
import io.millrace.server.gateway.session.Invocation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * What a bulk submission has done so far, in a text file beside the file of jobs. One line for each
 * step, written before a chunk is sent and after it was answered, so that a repeated run knows
 * which chunks are safe to skip, and under which id an unanswered one went out:
 *
 * <pre>
 * millrace-bulk 1 JOBS_PER_CHUNK DEFAULT_QUEUE
 * queue NAME SHARD
 * sent CHUNK BASE HASH FIRST_LINE-LAST_LINE
 * done CHUNK FIRST_ID LAST_ID
 * failed CHUNK CODE
 * </pre>
 */
final class BulkProgress {

  private static final String MAGIC = "millrace-bulk 1 ";
  private static final String NO_QUEUE = "-";
  private static final String NO_PROGRESS = "it is no progress file of qsub --bulk";

  private final Invocation invocation;
  private final String file;
  private final Map<Integer, Sent> sent = new HashMap<>();
  private final Map<String, Integer> shards = new HashMap<>();
  private final StringBuilder unwritten = new StringBuilder();
  private int jobsPerChunk;
  private String defaultQueue;

  /** A chunk that went out; done when it was accepted. */
  record Sent(UUID base, String hash, boolean done) {}

  private BulkProgress(Invocation invocation, String file) {
    this.invocation = invocation;
    this.file = file;
  }

  /**
   * Reads the progress of earlier runs, or begins a new file.
   *
   * @param jobsPerChunk bound for a new file; an old one keeps its own
   * @param defaultQueue default queue for a new file; an old one keeps its own
   */
  static BulkProgress open(
      Invocation invocation, String file, int jobsPerChunk, String defaultQueue)
      throws IOException {
    BulkProgress progress = new BulkProgress(invocation, file);
    progress.jobsPerChunk = jobsPerChunk;
    progress.defaultQueue = defaultQueue;
    if (!progress.read()) {
      String queue = defaultQueue.isEmpty() ? NO_QUEUE : defaultQueue;
      invocation.writeFile(
          file,
          (MAGIC + jobsPerChunk + " " + queue + "\n").getBytes(StandardCharsets.UTF_8),
          false);
    }
    return progress;
  }

  int jobsPerChunk() {
    return jobsPerChunk;
  }

  String defaultQueue() {
    return defaultQueue;
  }

  /** What an earlier run did with the chunk, or null. */
  Sent sent(int chunk) {
    return sent.get(chunk);
  }

  /** The group in which a queue's jobs go: the shard it had when the file was begun. */
  int group(String queue, int shardNow) {
    Integer known = shards.get(queue);
    if (known == null) {
      append("queue " + queue + " " + shardNow);
      shards.put(queue, shardNow);
      return shardNow;
    }
    return known;
  }

  /** Takes effect with {@link #flush}, which must come before the chunk is sent. */
  void willSend(int chunk, UUID base, String hash, String lines) {
    append("sent " + chunk + " " + base + " " + hash + " " + lines);
  }

  /** May be lost with the process: the chunk is then sent again under its old id. */
  void done(int chunk, String firstId, String lastId) {
    append("done " + chunk + " " + firstId + " " + lastId);
  }

  void failed(int chunk, int code) {
    append("failed " + chunk + " " + code);
  }

  /** Writes what was noted since the last time. */
  void flush() throws IOException {
    if (unwritten.length() > 0) {
      byte[] lines = unwritten.toString().getBytes(StandardCharsets.UTF_8);
      unwritten.setLength(0);
      invocation.writeFile(file, lines, true);
    }
  }

  private void append(String line) {
    unwritten.append(line).append('\n');
  }

  /** False when there is no progress file yet. */
  private boolean read() throws IOException {
    try (TextLines lines = new TextLines(invocation.openFile(file))) {
      String first = lines.next();
      if (first == null) {
        return false;
      }
      String[] head = first.substring(Math.min(MAGIC.length(), first.length())).split(" ");
      if (!first.startsWith(MAGIC) || head.length != 2 || lines.cut()) {
        throw new IOException(NO_PROGRESS);
      }
      jobsPerChunk = Integer.parseInt(head[0]);
      defaultQueue = head[1].equals(NO_QUEUE) ? "" : head[1];
      for (String line = lines.next(); line != null; line = lines.next()) {
        if (lines.cut()) {
          // What is noted next must not grow together with it.
          unwritten.append('\n');
        } else {
          take(line.split(" "));
        }
      }
      return true;
    } catch (IllegalArgumentException | TextLines.WrongLine e) {
      throw new IOException(NO_PROGRESS, e);
    } catch (IOException e) {
      if ("No such file or directory".equals(e.getMessage())) {
        return false;
      }
      throw e;
    }
  }

  /** A line that a crash cut short says nothing: what it announces was never sent. */
  private void take(String[] words) {
    if (words[0].equals("queue") && words.length == 3) {
      shards.put(words[1], Integer.parseInt(words[2]));
    } else if (words[0].equals("sent") && words.length == 5) {
      sent.put(Integer.parseInt(words[1]), new Sent(UUID.fromString(words[2]), words[3], false));
    } else if (words[0].equals("done") && words.length == 4) {
      sent.computeIfPresent(
          Integer.parseInt(words[1]), (chunk, s) -> new Sent(s.base(), s.hash(), true));
    } else if (words[0].equals("failed") && words.length == 3) {
      sent.remove(Integer.parseInt(words[1]));
    }
  }
}
