package io.millrace.server.gateway.submit;

import io.millrace.schemas.Topics;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.JobSpec;
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

  /** Variables, arguments and names of all jobs of one command; the rest of its bound is slack. */
  static final int JOB_BYTES_MAX = Topics.COMMAND_BYTES_MAX - SCRIPT_BYTES_MAX - (64 << 10);

  /** Numbers and short names of a job, or of one resource that a chunk asks for. */
  private static final int OVERHEAD = 256;

  /** Bytes for the length that stands in front of each text. */
  private static final int LENGTH = 3;

  private final MessageDigest digest;
  private final Map<ByteBuffer, Script> scripts = new LinkedHashMap<>();
  private final List<NewJob> jobs = new ArrayList<>();
  private int scriptBytes;
  private int jobBytes;
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

  /** Whether the job and its script fit beside those that are here. */
  boolean hasRoom(NewJob job, Script script) {
    if (jobs.isEmpty()) {
      return true;
    }
    boolean known = script == null || scripts.containsKey(script.getHash());
    int scriptsThen = scriptBytes + (known ? 0 : script.getText().remaining());
    return jobBytes + bytes(job) <= JOB_BYTES_MAX && scriptsThen <= SCRIPT_BYTES_MAX;
  }

  /** About as many bytes as the job has in a command, its script aside. */
  static int bytes(NewJob job) {
    JobSpec spec = job.getSpec();
    int bytes = OVERHEAD;
    for (List<Attribute> attributes : List.of(spec.getVariables(), spec.getResourceList())) {
      for (Attribute attribute : attributes) {
        bytes += bytes(attribute.getName()) + bytes(attribute.getValue());
      }
    }
    for (String argument : spec.getArgv()) {
      bytes += bytes(argument);
    }
    for (Chunk chunk : spec.getRequest().getChunks()) {
      bytes += OVERHEAD * (1 + chunk.getAmounts().size() + chunk.getMatches().size());
    }
    return bytes
        + bytes(spec.getAccount())
        + bytes(spec.getProject())
        + bytes(spec.getOutputPath())
        + bytes(spec.getErrorPath())
        + bytes(spec.getShell())
        + bytes(spec.getSubmitArguments());
  }

  private static int bytes(String text) {
    int bytes = LENGTH;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
    return bytes;
  }

  void add(long lineNumber, String line, NewJob job, Script script) {
    digest.update(("\n" + lineNumber + " " + line).getBytes(StandardCharsets.UTF_8));
    firstLine = firstLine < 0 ? lineNumber : firstLine;
    lastLine = lineNumber;
    jobs.add(job);
    jobBytes += bytes(job);
    if (script != null && scripts.putIfAbsent(script.getHash(), script) == null) {
      scriptBytes += script.getText().remaining();
    }
  }

  /** About as many bytes as the command has. */
  int bytes() {
    return jobBytes + scriptBytes;
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
