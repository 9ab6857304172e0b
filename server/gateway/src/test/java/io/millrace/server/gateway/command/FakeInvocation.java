package io.millrace.server.gateway.command;

import io.millrace.server.gateway.session.FileTooLargeException;
import io.millrace.server.gateway.session.OfflineInvocation;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** An invocation whose files are in memory and whose output can be looked at. */
public final class FakeInvocation extends OfflineInvocation {

  private final String command;
  private final List<String> args;
  private final String user;
  private final Map<String, byte[]> files;
  private final StringBuilder out = new StringBuilder();
  private final StringBuilder err = new StringBuilder();
  private final UUID id;
  private final Map<String, String> extra = new HashMap<>();
  private String stdin = "";
  private String host = "";

  public FakeInvocation(String user, List<String> line, Map<String, byte[]> files, UUID id) {
    this.command = line.get(0);
    this.args = line.subList(1, line.size());
    this.user = user;
    this.files = files;
    this.id = id;
  }

  public FakeInvocation with(String name, String value) {
    extra.put(name, value);
    return this;
  }

  public FakeInvocation stdin(String text) {
    stdin = text;
    return this;
  }

  public FakeInvocation from(String name) {
    host = name;
    return this;
  }

  @Override
  public String host() {
    return host;
  }

  public String output() {
    return out.toString();
  }

  public String errors() {
    return err.toString();
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
    Map<String, String> environment = new HashMap<>();
    environment.put("HOME", "/home/" + user);
    environment.put("LANG", "C.UTF-8");
    environment.put("LOGNAME", user);
    environment.put("PATH", "/usr/bin:/bin");
    environment.put("SHELL", "/bin/bash");
    environment.putAll(extra);
    return environment;
  }

  @Override
  public String directory() {
    return "/home/" + user;
  }

  @Override
  public int umask() {
    return 18;
  }

  @Override
  public String user() {
    return user;
  }

  @Override
  public String group() {
    return user;
  }

  @Override
  public UUID commandId() {
    return id;
  }

  @Override
  public void out(String text) {
    out.append(text);
  }

  @Override
  public void err(String text) {
    err.append(text);
  }

  @Override
  public byte[] readFile(String path, int maxBytes) throws IOException {
    byte[] content = content(path);
    if (content.length > maxBytes) {
      throw new FileTooLargeException(path, maxBytes);
    }
    return content;
  }

  @Override
  public InputStream openFile(String path) throws IOException {
    return new ByteArrayInputStream(content(path));
  }

  private byte[] content(String path) throws IOException {
    byte[] content = files.get(path);
    if (content == null) {
      throw new IOException("No such file or directory");
    }
    return content;
  }

  @Override
  public InputStream stdin() {
    return new ByteArrayInputStream(stdin.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void writeFile(String path, byte[] content, boolean append) throws IOException {
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    if (append && files.containsKey(path)) {
      whole.write(files.get(path));
    }
    whole.write(content);
    files.put(path, whole.toByteArray());
  }
}
