package io.millrace.ops.bench.site;

import io.millrace.server.gateway.session.FileTooLargeException;
import io.millrace.server.gateway.session.OfflineInvocation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Runs a command line as this process's own user, without client and socket. */
final class MemoryInvocation extends OfflineInvocation {

  private final String command;
  private final List<String> args;
  private final Path directory;
  private final StringBuilder said = new StringBuilder();
  private final UUID id;

  MemoryInvocation(UUID id, Path directory, String command, List<String> args) {
    this.id = id;
    this.directory = directory;
    this.command = command;
    this.args = List.copyOf(args);
  }

  /** What the command printed on standard output and error, in order. */
  String said() {
    return said.toString();
  }

  @Override
  public String command() {
    return command;
  }

  @Override
  public List<String> args() {
    return args;
  }

  @Override
  public Map<String, String> environment() {
    return System.getenv();
  }

  @Override
  public String directory() {
    return directory.toString();
  }

  @Override
  public int umask() {
    return 0022;
  }

  @Override
  public String user() {
    return System.getProperty("user.name");
  }

  @Override
  public String group() {
    return user();
  }

  @Override
  public UUID commandId() {
    return id;
  }

  @Override
  public void out(String text) {
    said.append(text);
  }

  @Override
  public void err(String text) {
    said.append(text);
  }

  @Override
  public byte[] readFile(String path, int maxBytes) throws IOException {
    Path file = directory.resolve(path);
    if (Files.size(file) > maxBytes) {
      throw new FileTooLargeException(path, maxBytes);
    }
    return Files.readAllBytes(file);
  }

  @Override
  public InputStream openFile(String path) throws IOException {
    return Files.newInputStream(directory.resolve(path));
  }

  @Override
  public InputStream stdin() {
    return InputStream.nullInputStream();
  }

  @Override
  public void writeFile(String path, byte[] content, boolean append) throws IOException {
    Path file = directory.resolve(path);
    if (append) {
      Files.write(file, content, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } else {
      Files.write(file, content);
    }
  }
}
