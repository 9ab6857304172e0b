package io.millrace.server.gateway;

import io.millrace.schemas.Topics;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.program.WarmUpRounds;
import io.millrace.server.gateway.command.CommandTable;
import io.millrace.server.gateway.link.CommandIds;
import io.millrace.server.gateway.session.OfflineInvocation;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs command lines that change nothing before the first user comes, so that he does not pay for
 * loading and compiling the code on the way of a command.
 */
final class CommandWarmUp {

  private static final Logger LOG = LoggerFactory.getLogger(CommandWarmUp.class);
  private static final int ROUNDS = 30;

  /**
   * Most time for the warm-up, so that the gateway becomes ready also when the cluster does not
   * answer.
   */
  private static final long NANOS_MAX = 2_500_000_000L;

  /**
   * Command lines that are refused or only query; together they execute all code that a command
   * uses.
   */
  private static final List<List<String>> LINES =
      List.of(
          List.of("qsub", "-q", "no-such-queue", "-l", "select=1:ncpus=1", "--", "true"),
          List.of("qsub", "-l", "select=1:no-such-resource=1"),
          List.of("qstat", "-Q"),
          List.of("qstat", "999999999999"),
          List.of("qstat", "-f", "-F", "json", "-u", "nobody-at-all"),
          List.of("qdel", "999999999999"),
          List.of("pbsnodes", "-a"),
          List.of("qmgr", "-c", "list server"));

  private CommandWarmUp() {}

  static void run(Gateway gateway) throws InterruptedException {
    long began = System.nanoTime();
    CommandTable commands = gateway.commands();
    GatewayCommands direct = new GatewayCommands(gateway.site(), "nobody", "nogroup", Role.USER);
    int rounds = WarmUpRounds.of(ROUNDS);
    for (int round = 0; round < rounds; round++) {
      for (List<String> line : LINES) {
        if (System.nanoTime() - began > NANOS_MAX) {
          LOG.info("warm-up ended early: the cluster is slow to answer");
          return;
        }
        try {
          commands.run(new Quiet(line));
        } catch (IOException e) {
          LOG.debug("warming up with {}: {}", line, e.getMessage());
        }
      }
      refused(direct);
    }
  }

  /**
   * Sends a command about a job that does not exist: the refusal exercises the whole path to a
   * shard and back.
   */
  private static void refused(GatewayCommands direct) throws InterruptedException {
    try {
      direct.delete(Topics.ADMINISTRATIVE_SHARD, "none").get(NANOS_MAX, TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException e) {
      LOG.debug("warming up: {}", e.toString());
    }
  }

  /** An invocation without a client, whose output is dropped. */
  private static final class Quiet extends OfflineInvocation {
    private final List<String> line;

    Quiet(List<String> line) {
      this.line = line;
    }

    @Override
    public String command() {
      return line.get(0);
    }

    @Override
    public List<String> args() {
      return line.subList(1, line.size());
    }

    @Override
    public Map<String, String> environment() {
      return Map.of("HOME", "/", "PATH", "/usr/bin");
    }

    @Override
    public String directory() {
      return "/";
    }

    @Override
    public int umask() {
      return 0x3f;
    }

    @Override
    public String user() {
      return "nobody";
    }

    @Override
    public String group() {
      return "nogroup";
    }

    @Override
    public UUID commandId() {
      return CommandIds.base(System.currentTimeMillis());
    }

    @Override
    public void out(String text) {}

    @Override
    public void err(String text) {}

    @Override
    public byte[] readFile(String path, int maxBytes) {
      return "#!/bin/sh\n#PBS -N warm\ntrue\n".getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public InputStream openFile(String path) {
      return stdin();
    }

    @Override
    public InputStream stdin() {
      return new ByteArrayInputStream(readFile("", 0));
    }

    @Override
    public void writeFile(String path, byte[] content, boolean append) {}
  }
}
