package io.millrace.server.accounting.book;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.campaign.LoggedNotices;
import io.millrace.schemas.common.ClusterObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;

/**
 * What has to outlive the process: the jobs that are not over, places in the ledger, lengths of the
 * files, custom resources. Changes are seen at once and kept together, by {@link #commit}. Not
 * thread-safe.
 */
public final class AccountBook implements AutoCloseable {

  private static final char JOB = 'j';
  private static final char OFFSET = 'o';
  private static final char LENGTH = 'f';
  private static final char RESOURCE = 'r';
  private static final char SNAPSHOT = 's';
  private static final char BEGUN = 'b';
  private static final char SETTING = 'c';
  private static final char LETTER = 'm';
  private static final char SINCE = 't';
  private static final char CHANGE = 'g';
  private static final char LOGGED = 'n';

  /** Of the form in which jobs are kept. */
  private static final long VERSION = 1;

  private static final int FORGET_AT_ONCE = 10_000;
  private static final int RECENT_MAX = 1_000;
  private static final long CACHE_BYTES = 4L << 20;
  private static final long BUFFER_BYTES = 4L << 20;

  private final Path folder;
  private final RecordCodec codec;
  private final Options options;
  private final RocksDB rocks;
  private final WriteOptions writing;
  private final ReadOptions reading;
  private final WriteBatchWithIndex open;

  /** Jobs since the last commit, null for one that is over: told often, written once. */
  private final Map<JobPlace, JobAccount> changed = new HashMap<>();

  /** Committed jobs that were told of last. */
  private final Map<JobPlace, JobAccount> recent =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<JobPlace, JobAccount> eldest) {
          return size() > RECENT_MAX;
        }
      };

  private record JobPlace(int shard, long number) {}

  /**
   * Opens the book in a folder, or begins one.
   *
   * @throws IOException when the folder cannot be used, for example because another process has it
   */
  public AccountBook(Path folder, RecordCodec codec) throws IOException {
    this.folder = folder;
    this.codec = codec;
    RocksDB.loadLibrary();
    this.writing = new WriteOptions();
    this.reading = new ReadOptions();
    this.open = new WriteBatchWithIndex(true);
    this.options =
        new Options()
            .setCreateIfMissing(true)
            .setWriteBufferSize(BUFFER_BYTES)
            .setMaxWriteBufferNumber(2)
            .setMaxOpenFiles(64)
            .setKeepLogFileNum(2)
            .setMaxLogFileSize(1 << 20)
            .setTableFormatConfig(
                new BlockBasedTableConfig()
                    .setBlockCache(new LRUCache(CACHE_BYTES))
                    .setCacheIndexAndFilterBlocks(true));
    // The folders around it are those of the accounting files.
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---")));
    // Whoever can read RocksDB's lock can hold it against the next process; and others read only
    // the days' files.
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    try {
      this.rocks = RocksDB.open(options, folder.toString());
    } catch (RocksDBException e) {
      throw new IOException(folder + " cannot be opened: " + e.getMessage(), e);
    }
  }

  /** The job as its facts have left it; null for one that is over or was never seen. */
  public JobAccount job(int shard, long number) {
    JobPlace place = new JobPlace(shard, number);
    if (changed.containsKey(place)) {
      return changed.get(place);
    }
    JobAccount known = recent.get(place);
    if (known == null) {
      byte[] value = get(jobKey(place));
      known = value == null ? null : JobAccount.from(value);
      if (known != null) {
        recent.put(place, known);
      }
    }
    return known;
  }

  public void put(int shard, long number, JobAccount job) {
    changed.put(new JobPlace(shard, number), job);
  }

  public void remove(int shard, long number) {
    changed.put(new JobPlace(shard, number), null);
  }

  /** Offset of the next fact of a shard; empty before the first. */
  public OptionalLong offset(int shard) {
    return number(key(OFFSET, Integer.toString(shard)));
  }

  public void offset(int shard, long next) {
    write(key(OFFSET, Integer.toString(shard)), bytes(next));
  }

  /** Forgets the jobs of a shard and keeps that. */
  public void forget(int shard) {
    changed.keySet().removeIf(place -> place.shard() == shard);
    recent.keySet().removeIf(place -> place.shard() == shard);
    byte[] first = jobKey(new JobPlace(shard, 0));
    try (RocksIterator at = rocks.newIterator()) {
      at.seek(first);
      for (int i = 1; at.isValid() && isJob(at.key(), first); i++) {
        open.delete(at.key());
        if (i % FORGET_AT_ONCE == 0) {
          commit();
        }
        at.next();
      }
    } catch (RocksDBException e) {
      throw failed(e);
    }
    commit();
  }

  /** Offset of the snapshot whose jobs are wanted when the shard is read up to it; empty: none. */
  public OptionalLong snapshot(int shard) {
    return number(key(SNAPSHOT, Integer.toString(shard)));
  }

  public void snapshot(int shard, OptionalLong begun) {
    byte[] key = key(SNAPSHOT, Integer.toString(shard));
    if (begun.isPresent()) {
      write(key, bytes(begun.getAsLong()));
      return;
    }
    try {
      open.delete(key);
    } catch (RocksDBException e) {
      throw failed(e);
    }
  }

  /**
   * Whether this is a new book.
   *
   * @throws IOException when it is one that this version cannot read
   */
  public boolean blank() throws IOException {
    OptionalLong version = number(key(BEGUN, ""));
    if (version.isEmpty() && lengths().isEmpty()) {
      return true;
    }
    if (version.orElse(0) != VERSION) {
      throw new IOException(
          folder
              + " is of another version of Millrace: move the files of the days and this folder"
              + " elsewhere, and all that the ledger holds is written anew");
    }
    return false;
  }

  /** The book is no longer a new one, at once and down to the disk. */
  public void begin() {
    writeNow(key(BEGUN, ""), bytes(VERSION));
  }

  /** Keeps a length at once and down to the disk, before anything is written behind it. */
  public void lengthNow(String file, long length) {
    writeNow(key(LENGTH, file), bytes(length));
  }

  private void writeNow(byte[] key, byte[] value) {
    try (WriteOptions durable = new WriteOptions().setSync(true)) {
      rocks.put(durable, key, value);
    } catch (RocksDBException e) {
      throw failed(e);
    }
  }

  /** Bytes of each file that are kept, by name. */
  public Map<String, Long> lengths() {
    Map<String, Long> lengths = new TreeMap<>();
    each(LENGTH, (name, value) -> lengths.put(name, ByteBuffer.wrap(value).getLong()));
    return lengths;
  }

  public void length(String file, long length) {
    write(key(LENGTH, file), bytes(length));
  }

  /** Resources that administrators made, as they were written last. */
  public Map<String, ClusterObject> resources() {
    Map<String, ClusterObject> resources = new TreeMap<>();
    each(RESOURCE, (name, value) -> resources.put(name, (ClusterObject) decode(value)));
    return resources;
  }

  public void resource(ClusterObject object) {
    write(key(RESOURCE, object.getName()), codec.encode(object));
  }

  /** Cluster-wide objects other than resources that somebody wants to know, as written last. */
  public Collection<ClusterObject> settings() {
    List<ClusterObject> settings = new ArrayList<>();
    each(SETTING, (name, value) -> settings.add((ClusterObject) decode(value)));
    return settings;
  }

  public void setting(ClusterObject object) {
    write(key(SETTING, object.getKind() + "/" + object.getName()), codec.encode(object));
  }

  /** Texts about a change that is open. */
  public void change(long number, String texts) {
    write(key(CHANGE, Long.toString(number)), texts.getBytes(UTF_8));
  }

  /** The texts of a change that is no longer open; null when there are none. */
  public String takeChange(long number) {
    byte[] key = key(CHANGE, Long.toString(number));
    byte[] texts = get(key);
    try {
      open.delete(key);
    } catch (RocksDBException e) {
      throw failed(e);
    }
    return texts == null ? null : new String(texts, UTF_8);
  }

  /** Since when something is done that is not made up for, such as to write letters. */
  public long since(String what, long nowMs) {
    OptionalLong since = number(key(SINCE, what));
    if (since.isEmpty()) {
      writeNow(key(SINCE, what), bytes(nowMs));
    }
    return since.orElse(nowMs);
  }

  /** What is gathered for the log of campaigns; null when nothing is. */
  public LoggedNotices logged() {
    byte[] value = get(key(LOGGED, ""));
    return value == null ? null : (LoggedNotices) decode(value);
  }

  /** Keeps it, or forgets it: null. */
  public void logged(LoggedNotices notices) {
    byte[] key = key(LOGGED, "");
    if (notices != null) {
      write(key, codec.encode(notices));
      return;
    }
    try {
      open.delete(key);
    } catch (RocksDBException e) {
      throw failed(e);
    }
  }

  /** Number of the last letter that is kept; 0 when there is none. */
  public long lastLetter() {
    long[] last = {0};
    each(LETTER, (name, value) -> last[0] = Long.parseLong(name, 16));
    return last[0];
  }

  /** A letter to be sent, with the next commit. */
  public void letter(long number, byte[] letter) {
    write(letterKey(number), letter);
  }

  /** The first committed letter behind a number; for any thread. */
  public Optional<Map.Entry<Long, byte[]>> letterAfter(long number) {
    try (RocksIterator at = rocks.newIterator()) {
      at.seek(letterKey(number + 1));
      if (!at.isValid() || at.key()[0] != LETTER) {
        return Optional.empty();
      }
      long found = Long.parseLong(new String(at.key(), 1, at.key().length - 1, UTF_8), 16);
      return Optional.of(Map.entry(found, at.value()));
    }
  }

  /** The letter has been sent, or never will be. Kept at once; for any thread. */
  public void removeLetter(long number) {
    try {
      rocks.delete(writing, letterKey(number));
    } catch (RocksDBException e) {
      throw failed(e);
    }
  }

  private static byte[] letterKey(long number) {
    return key(LETTER, String.format("%016x", number));
  }

  /** Keeps all changes since the last commit, or none of them. */
  public void commit() {
    try {
      for (Map.Entry<JobPlace, JobAccount> change : changed.entrySet()) {
        if (change.getValue() == null) {
          open.delete(jobKey(change.getKey()));
          recent.remove(change.getKey());
        } else {
          open.put(jobKey(change.getKey()), change.getValue().bytes());
          recent.put(change.getKey(), change.getValue());
        }
      }
      changed.clear();
      rocks.write(writing, open);
      open.clear();
    } catch (RocksDBException e) {
      throw failed(e);
    }
  }

  private interface BookEntryReader {
    void take(String name, byte[] value);
  }

  private void each(char table, BookEntryReader entry) {
    try (RocksIterator at = open.newIteratorWithBase(rocks.newIterator())) {
      at.seek(key(table, ""));
      while (at.isValid() && at.key()[0] == table) {
        entry.take(new String(at.key(), 1, at.key().length - 1, UTF_8), at.value());
        at.next();
      }
    }
  }

  private OptionalLong number(byte[] key) {
    byte[] value = get(key);
    return value == null ? OptionalLong.empty() : OptionalLong.of(ByteBuffer.wrap(value).getLong());
  }

  private SpecificRecord decode(byte[] value) {
    try {
      return codec.decode(value);
    } catch (UndecodableRecord e) {
      throw new IllegalStateException("the accounting's own records: " + e.getMessage(), e);
    }
  }

  private byte[] get(byte[] key) {
    try {
      return open.getFromBatchAndDB(rocks, reading, key);
    } catch (RocksDBException e) {
      throw failed(e);
    }
  }

  private void write(byte[] key, byte[] value) {
    try {
      open.put(key, value);
    } catch (RocksDBException e) {
      throw failed(e);
    }
  }

  /** A full or broken disk: nothing can be promised any more, the process has to end. */
  private static IllegalStateException failed(RocksDBException e) {
    return new IllegalStateException("the accounting's state: " + e.getMessage(), e);
  }

  private static byte[] jobKey(JobPlace job) {
    return ByteBuffer.allocate(13)
        .put((byte) JOB)
        .putInt(job.shard())
        .putLong(job.number())
        .array();
  }

  private static boolean isJob(byte[] key, byte[] ofShard) {
    int prefix = 1 + Integer.BYTES;
    return key.length == ofShard.length && Arrays.equals(key, 0, prefix, ofShard, 0, prefix);
  }

  private static byte[] key(char table, String name) {
    return (table + name).getBytes(UTF_8);
  }

  private static byte[] bytes(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  @Override
  public void close() {
    open.close();
    reading.close();
    writing.close();
    rocks.close();
    options.close();
  }
}
