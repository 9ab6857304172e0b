package io.millrace.connectors.bridge.far;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.bridge.far.SftpOpening.SftpAbsent;
import io.millrace.connectors.bridge.files.FileFacts;
import io.millrace.connectors.bridge.files.FileUnread;
import io.millrace.connectors.bridge.files.FileUnread.UnreadCause;
import io.millrace.connectors.bridge.files.FilesUnreached;
import io.millrace.connectors.bridge.files.OutsideFile;
import io.millrace.connectors.bridge.files.OutsideFiles;
import io.millrace.connectors.bridge.run.CircuitBreaker;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.sshd.sftp.client.SftpClient;
import org.apache.sshd.sftp.client.SftpClient.Attributes;
import org.apache.sshd.sftp.client.SftpClient.CloseableHandle;
import org.apache.sshd.sftp.client.SftpClient.DirEntry;
import org.apache.sshd.sftp.client.extensions.openssh.OpenSSHStatExtensionInfo;
import org.apache.sshd.sftp.client.extensions.openssh.OpenSSHStatPathExtension;
import org.apache.sshd.sftp.common.SftpConstants;
import org.apache.sshd.sftp.common.SftpException;

/** Files of another host by SFTP, on a channel that is kept. */
public final class SftpFiles implements OutsideFiles {

  /** What each sftp-server gives at once. */
  private static final int PIECE_BYTES = 32 * 1024;

  private static final int RIGHTS = 0777;

  /** More accounts than that have no runs of ours. */
  private static final int NAMES_MOST = 10_000;

  private static final int NO_ACCOUNT = 2;

  private final SftpOpening way;
  private final FarQuestions questions;
  private final Map<Integer, String> names = new ConcurrentHashMap<>();
  private final CircuitBreaker opening = new CircuitBreaker(1);
  private SftpClient channel;

  /**
   * @param questions to the same host
   */
  public SftpFiles(SftpOpening way, FarQuestions questions) {
    this.way = way;
    this.questions = questions;
  }

  /** The channel; where there is no server for it, it is tried in pauses that grow. */
  private synchronized SftpClient channel() throws IOException {
    if (channel != null && channel.isOpen()) {
      return channel;
    }
    if (!opening.lets(Instant.now())) {
      throw new FilesUnreached(opening.reason());
    }
    try {
      channel = way.open();
      opening.answered();
      return channel;
    } catch (SftpAbsent e) {
      opening.silent(e.getMessage(), Instant.now());
      throw e;
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static InterruptedIOException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    InterruptedIOException interrupted = new InterruptedIOException(e.getMessage());
    interrupted.initCause(e);
    return interrupted;
  }

  /** All but two errors, as of a disk that fails, are told by one word, and say nothing of it. */
  private static IOException fault(Path file, SftpException e) {
    return switch (e.getStatus()) {
      case SftpConstants.SSH_FX_NO_SUCH_FILE -> new NoSuchFileException(file.toString());
      case SftpConstants.SSH_FX_PERMISSION_DENIED ->
          new AccessDeniedException(file.toString(), null, "permission denied");
      default ->
          new FileUnread(
              UnreadCause.FAULT,
              file + " cannot be read there: " + SftpConstants.getStatusName(e.getStatus()),
              e);
    };
  }

  @Override
  public boolean isFar() {
    return true;
  }

  /** A question to the sftp-server. */
  private interface FileQuestion<T> {
    T ask() throws IOException;
  }

  /** What is said of a file; whatever is no answer of the server says nothing about it. */
  private static <T> T ask(Path file, FileQuestion<T> question) throws IOException {
    try {
      return question.ask();
    } catch (SftpException e) {
      throw fault(file, e);
    } catch (InterruptedIOException | FilesUnreached | FileUnread | NoSuchFileException e) {
      throw e;
    } catch (SftpSilence e) {
      throw new FileUnread(UnreadCause.SLOW, file + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw new FilesUnreached(file + " cannot be looked at now: " + e.getMessage(), e);
    }
  }

  @Override
  public Optional<FileFacts> facts(Path file) throws IOException {
    try {
      return Optional.of(facts(ask(file, () -> channel().stat(file.toString()))));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  @Override
  public Optional<FileFacts> factsOfLink(Path file) throws IOException {
    try {
      return Optional.of(facts(ask(file, () -> channel().lstat(file.toString()))));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private FileFacts facts(Attributes said) throws IOException {
    FileFacts.FileShape other =
        said.isDirectory() ? FileFacts.FileShape.FOLDER : FileFacts.FileShape.OTHER;
    return new FileFacts(
        said.isRegularFile() ? FileFacts.FileShape.REGULAR : other,
        name(said.getUserId()),
        said.getPermissions() & RIGHTS,
        said.getSize(),
        modified(said));
  }

  private static Instant modified(Attributes said) {
    return said.getModifyTime() == null ? Instant.EPOCH : said.getModifyTime().toInstant();
  }

  /** SFTP tells numbers of accounts only. */
  private String name(int number) throws IOException {
    String known = names.get(number);
    if (known != null) {
      return known;
    }
    OutsideAnswer said = account(Integer.toUnsignedString(number));
    if (said.ending() == ProcessEnding.TIMED_OUT) {
      throw new FileUnread(
          UnreadCause.SLOW, "who " + number + " is cannot be told: " + said.trouble());
    }
    if (!said.isWhole() || said.status() != 0 && said.status() != NO_ACCOUNT) {
      throw new FilesUnreached("who " + number + " is cannot be told: " + said.trouble());
    }
    String name = said.isGood() ? said.out().split(":", 2)[0] : Integer.toUnsignedString(number);
    if (said.isGood() && names.size() < NAMES_MOST) {
      names.put(number, name);
    }
    return name;
  }

  private OutsideAnswer account(String nameOrNumber) throws IOException {
    try {
      return questions.account(nameOrNumber);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  @Override
  public boolean lacksAccount(String account) {
    try {
      OutsideAnswer said = account(account);
      return said.isWhole() && said.status() == NO_ACCOUNT && hasAllAccounts();
    } catch (IOException e) {
      return false; // nobody can say
    }
  }

  @Override
  public OutsideFile open(Path file) throws IOException {
    return ask(
        file,
        () -> {
          SftpClient at = channel();
          return new SftpFile(file, at, at.open(file.toString(), SftpClient.OpenMode.Read));
        });
  }

  /** What was opened is looked at again: a link in its place leads to another account's file. */
  @Override
  public OutsideFile openNoLink(Path file) throws IOException {
    if (factsOfLink(file).filter(FileFacts::isRegular).isEmpty()) {
      throw new FileUnread(UnreadCause.FAULT, file + " is another one at each look");
    }
    return open(file);
  }

  @Override
  public List<Path> list(Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    for (DirEntry entry : ask(folder, () -> channel().readEntries(folder.toString()))) {
      String name = entry.getFilename();
      if (!name.equals(".") && !name.equals("..") && name.indexOf('/') < 0) {
        files.add(folder.resolve(name));
      }
    }
    return files;
  }

  @Override
  public boolean is(Path file, String identity) throws IOException {
    Optional<FileHead> head = FileHead.read(identity);
    if (head.isEmpty()) {
      return false;
    }
    try (OutsideFile open = open(file)) {
      return head.get().isOf(open.read(0, FileHead.BYTES));
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  @Override
  public boolean isSure(String identity) {
    return FileHead.read(identity).filter(FileHead::isShort).isEmpty();
  }

  @Override
  public boolean mayBe(Path file, String identity) throws IOException {
    long since = FileHead.read(identity).map(FileHead::modified).orElse(0L);
    Optional<FileFacts> facts = facts(file);
    return facts.filter(it -> it.modified().getEpochSecond() >= since).isPresent()
        && is(file, identity);
  }

  @Override
  public boolean isReadable(Path file) throws IOException {
    return test("-r", file);
  }

  @Override
  public boolean isExecutable(Path file) throws IOException {
    return test("-x", file);
  }

  private boolean test(String question, Path file) throws IOException {
    OutsideAnswer said;
    try {
      said = questions.test(question, file.toString());
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    if (!said.isWhole() || said.status() > 1) {
      throw new FilesUnreached(file + " cannot be looked at: " + said.trouble());
    }
    return said.isGood();
  }

  @Override
  public OptionalLong room(Path folder) throws IOException {
    OpenSSHStatPathExtension question = channel().getExtension(OpenSSHStatPathExtension.class);
    if (question == null || !question.isSupported()) {
      return OptionalLong.empty();
    }
    OpenSSHStatExtensionInfo said = ask(folder, () -> question.stat(folder.toString()));
    return OptionalLong.of(said.f_bavail * said.f_frsize);
  }

  /** An open file there. */
  private final class SftpFile implements OutsideFile {
    private final Path file;
    private final SftpClient at;
    private final CloseableHandle handle;

    SftpFile(Path file, SftpClient at, CloseableHandle handle) {
      this.file = file;
      this.at = at;
      this.handle = handle;
    }

    @Override
    public long size() throws IOException {
      return facts().getSize();
    }

    private Attributes facts() throws IOException {
      return ask(file, () -> at.stat(handle));
    }

    @Override
    public byte[] read(long offset, int most) throws IOException {
      byte[] bytes = new byte[most];
      int size = 0;
      while (size < most) {
        int from = size;
        int piece = Math.min(PIECE_BYTES, most - size);
        int got = ask(file, () -> at.read(handle, offset + from, bytes, from, piece));
        if (got <= 0) {
          break;
        }
        size += got;
      }
      return Arrays.copyOf(bytes, size);
    }

    @Override
    public String owner() throws IOException {
      Attributes said = facts();
      return said.isRegularFile() ? name(said.getUserId()) : "";
    }

    @Override
    public String identity() throws IOException {
      return FileHead.of(read(0, FileHead.BYTES), modified(facts()));
    }

    @Override
    public void close() throws IOException {
      if (at.isOpen()) {
        ask(
            file,
            () -> {
              handle.close();
              return null;
            });
      }
    }
  }
}
