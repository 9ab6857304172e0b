package io.millrace.server.gateway.command;

import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.common.Script;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Jobs of one shard that go out in one command. */
final class BulkChunk {

  /** Scripts of one command together; the rest of a record's bound is for the jobs. */
  static final int SCRIPT_BYTES_MAX = 1 << 20;

  private final MessageDigest digest;
  private final Map<ByteBuffer, Script> scripts = new LinkedHashMap<>();
  private final List<NewJob> jobs = new ArrayList<>();
  private int scriptBytes;
  private long firstLine = -1;
  private long lastLine = -1;

  BulkChunk(List<String> options) {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
    digest.update(String.join("\0", options).getBytes(StandardCharsets.UTF_8));
  }

  /** Whether the job's script fits beside those that are here. */
  boolean hasRoom(Script script) {
    return script == null
        || scripts.isEmpty()
        || scripts.containsKey(script.getHash())
        || scriptBytes + script.getText().remaining() <= SCRIPT_BYTES_MAX;
  }

  void add(long lineNumber, String line, NewJob job, Script script) {
    digest.update(("\n" + lineNumber + " " + line).getBytes(StandardCharsets.UTF_8));
    firstLine = firstLine < 0 ? lineNumber : firstLine;
    lastLine = lineNumber;
    jobs.add(job);
    if (script != null && scripts.putIfAbsent(script.getHash(), script) == null) {
      scriptBytes += script.getText().remaining();
    }
  }

  List<NewJob> jobs() {
    return jobs;
  }

  List<Script> scripts() {
    return List.copyOf(scripts.values());
  }

  /** First and last line of the file that are in here; others may lie between them. */
  String lines() {
    return firstLine + "-" + lastLine;
  }

  /** Tells whether a repeated run sees the same lines; call once, when all jobs are in. */
  String hash() {
    return HexFormat.of().formatHex(digest.digest(), 0, 8);
  }
}
