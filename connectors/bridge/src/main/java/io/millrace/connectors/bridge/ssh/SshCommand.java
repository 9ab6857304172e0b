package io.millrace.connectors.bridge.ssh;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.bridge.command.OutsideCommand;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.sshd.client.channel.ChannelExec;
import org.apache.sshd.client.channel.ClientChannelEvent;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.SshConstants;
import org.apache.sshd.common.channel.exception.SshChannelOpenException;
import org.apache.sshd.common.util.buffer.Buffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One command on a channel of its own. */
final class SshCommand {
  private static final Logger log = LoggerFactory.getLogger(SshCommand.class);

  private final ClientSession session;
  private final OutsideCommand command;
  private final ChannelWatch watch = new ChannelWatch();
  private final BoundedOutput out;
  private final BoundedOutput err;
  private final long begin = System.nanoTime();

  private SshCommand(ClientSession session, OutsideCommand command) {
    this.session = session;
    this.command = command;
    this.out = new BoundedOutput(command.outputMost(), watch::tooLong);
    this.err =
        new BoundedOutput(
            Math.min(command.outputMost(), OutsideCommand.COMPLAINT_MOST), watch::tooLong);
  }

  /**
   * Runs a command to its end or to its bounds.
   *
   * @param line of it
   */
  static OutsideAnswer run(ClientSession session, String line, OutsideCommand command)
      throws InterruptedException {
    return new SshCommand(session, command).run(line);
  }

  private OutsideAnswer run(String line) throws InterruptedException {
    ChannelExec channel;
    try {
      channel = session.createExecChannel(line);
    } catch (IOException | IllegalStateException e) {
      // The latter when the connection is being closed meanwhile.
      return OutsideAnswer.notStarted("the connection broke off: " + e.getMessage(), begin);
    }
    channel.setIn(new ByteArrayInputStream(command.input()));
    channel.setOut(out);
    channel.setErr(err);
    channel.addChannelListener(watch);
    channel.addCloseFutureListener(it -> watch.closed());
    try {
      channel.open().verify(command.limit());
      return await(channel);
    } catch (InterruptedIOException e) {
      throw interrupted(e);
    } catch (IOException e) {
      if (e.getCause() instanceof SshChannelOpenException refused) {
        return OutsideAnswer.notStarted(
            "its sshd opens no channel ("
                + refused.getMessage()
                + "); see 'ssh_channels', MaxSessions",
            begin);
      }
      // It may have got the command, or not.
      log.warn("a channel for {} broke off: {}", command.program(), e.toString());
      return answer(ProcessEnding.CUT, -1);
    } finally {
      // In an orderly way: the sshd must hear of it, or keeps the channel and what runs on it.
      channel.close(false);
    }
  }

  private static InterruptedException interrupted(InterruptedIOException e) {
    InterruptedException interrupted = new InterruptedException(e.getMessage());
    interrupted.initCause(e);
    return interrupted;
  }

  private OutsideAnswer await(ChannelExec channel) throws InterruptedException {
    boolean ended = false;
    try {
      ended = watch.await(command.limit()) && !out.isTooLong() && !err.isTooLong();
    } finally {
      if (!ended) {
        end(channel);
      }
    }
    Integer status = channel.getExitStatus();
    String signal = channel.getExitSignal();
    if (out.isTooLong() || err.isTooLong()) {
      return answer(ProcessEnding.TOO_LONG, -1);
    }
    if (!ended) {
      return answer(ProcessEnding.TIMED_OUT, -1);
    }
    boolean whole = channel.getChannelState().contains(ClientChannelEvent.EOF);
    if (signal != null) {
      return answer(whole ? ProcessEnding.EXITED : ProcessEnding.CUT, SshSignals.status(signal));
    }
    return status == null
        ? answer(ProcessEnding.CUT, -1)
        : answer(whole ? ProcessEnding.EXITED : ProcessEnding.CUT, status);
  }

  private OutsideAnswer answer(ProcessEnding ending, int status) {
    return new OutsideAnswer(
        ending, status, out.text(), err.text().toString(), OutsideAnswer.took(begin));
  }

  /** Ends the command there; one that is another account's meanwhile cannot be, here as there. */
  private void end(ChannelExec channel) throws InterruptedException {
    if (channel.isOpen() && signal(channel, "TERM")) {
      watch.awaitClosed(ChannelWatch.GRACE);
    }
    if (channel.isOpen()) {
      signal(channel, "KILL");
    }
  }

  /** Whether it could be sent; the sshd does not say what came of it. */
  private boolean signal(ChannelExec channel, String signal) {
    try {
      Buffer request = session.createBuffer(SshConstants.SSH_MSG_CHANNEL_REQUEST);
      request.putUInt(channel.getRecipient());
      request.putString("signal");
      request.putBoolean(false);
      request.putString(signal);
      session.writePacket(request);
      return true;
    } catch (IOException e) {
      log.warn("{} cannot be ended: {}", command.program(), e.toString());
      return false;
    }
  }
}
