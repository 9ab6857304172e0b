package io.millrace.connectors.bridge.ssh;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;

/**
 * A command of the embedded sshd. Its end is told behind all of its output; the library's own shell
 * looks for output every now and then, and loses that of a program which ends between two looks.
 */
final class LoginShellCommand implements Command {

  private static final Executor THREADS =
      task -> {
        Thread thread = new Thread(task, "login-shell");
        thread.setDaemon(true);
        thread.start();
      };

  private final List<String> words;
  private InputStream in;
  private OutputStream out;
  private OutputStream err;
  private ExitCallback end;
  private Process process;

  LoginShellCommand(List<String> words) {
    this.words = words;
  }

  @Override
  public void setInputStream(InputStream stream) {
    in = stream;
  }

  @Override
  public void setOutputStream(OutputStream stream) {
    out = stream;
  }

  @Override
  public void setErrorStream(OutputStream stream) {
    err = stream;
  }

  @Override
  public void setExitCallback(ExitCallback callback) {
    end = callback;
  }

  @Override
  public void start(ChannelSession channel, Environment environment) throws IOException {
    process = new ProcessBuilder(words).start();
    THREADS.execute(this::feed);
    CompletableFuture<Void> written = pass(process.getInputStream(), out);
    CompletableFuture<Void> complained = pass(process.getErrorStream(), err);
    CompletableFuture.allOf(written, complained)
        .whenComplete((nothing, broken) -> process.onExit().thenAccept(this::tell));
  }

  private void tell(Process ended) {
    end.onExit(ended.exitValue());
  }

  private void feed() {
    try (OutputStream to = process.getOutputStream()) {
      in.transferTo(to);
    } catch (IOException e) {
      // It has ended without reading all of it, or the client is gone.
      return;
    }
  }

  private static CompletableFuture<Void> pass(InputStream from, OutputStream to) {
    return CompletableFuture.runAsync(
        () -> {
          byte[] some = new byte[8192];
          try (from) {
            for (int read = from.read(some); read >= 0; read = from.read(some)) {
              to.write(some, 0, read);
              to.flush();
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        THREADS);
  }

  @Override
  public void destroy(ChannelSession channel) {
    if (process != null) {
      process.destroy();
    }
  }
}
