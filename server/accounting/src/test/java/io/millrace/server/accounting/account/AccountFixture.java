package io.millrace.server.accounting.account;

import io.millrace.schemas.SchemaIds;
import io.millrace.schemas.WireCodec;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.accounting.book.AccountBook;
import io.millrace.server.accounting.file.DayFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** An account that is written of facts, and what samples of them hold. */
public abstract class AccountFixture {
  public static final long BEGIN = Instant.parse("2026-11-20T15:35:54Z").toEpochMilli();
  public static final WireCodec CODEC = new WireCodec(SchemaIds.local());

  @TempDir Path folder;
  AccountBook book;
  DayFiles files;
  AccountWriter accounts;
  long seq;

  @BeforeEach
  void open() throws IOException {
    book = new AccountBook(folder.resolve(".state"), CODEC);
    files = new DayFiles(folder, ZoneOffset.UTC);
    files.open(book);
    accounts = new AccountWriter(book, files, ZoneOffset.UTC);
  }

  @AfterEach
  void close() {
    book.close();
  }

  void follow(int shard, SpecificRecord fact) {
    accounts.follow(shard, fact);
  }

  void write() throws IOException {
    files.write(book);
    book.commit();
  }

  List<String> lines(String day) throws IOException {
    write();
    return Files.readAllLines(folder.resolve(day));
  }

  FactMeta at(long ms) {
    return new FactMeta(++seq, BEGIN + ms, new CommandId(new byte[16]), "pbsu1");
  }

  RunFinished finished(long ms, int status, long startedMs) {
    Usage used =
        Usage.newBuilder()
            .setCputS(7)
            .setMemKb(1388)
            .setVmemKb(2500)
            .setWalltimeS(13)
            .setNcpus(2)
            .setCpupercent(98)
            .build();
    return new RunFinished(at(ms), "1.vm", 1, status, used, startedMs, BEGIN + ms, "", -1L, "");
  }

  public static Allocation allocation() {
    NodeShare share = new NodeShare("vm[6]", "vm", 1, Map.of("ncpus", 2L, "mem", 100L << 20));
    return new Allocation(List.of(share), "vm/0*2", "(vm[6]:ncpus=2:mem=102400kb)", null);
  }

  public static Job job(long number) {
    JobSpec spec =
        JobSpec.newBuilder()
            .setName("fromscript")
            .setOwner("pbsu1")
            .setGroup("pbsu1")
            .setSubmitHost("vm")
            .setQueue("workq")
            .setRequest(ResourceRequest.newBuilder().setChunks(List.of()).build())
            .setResourceList(
                List.of(new Attribute("ncpus", "1"), new Attribute("walltime", "00:10:00")))
            .setOutputPath("")
            .setErrorPath("")
            .setVariables(List.of(new Attribute("PATH", "/usr/bin")))
            .setScriptHash(ByteBuffer.allocate(0))
            .setArgv(List.of())
            .setExtra(List.of())
            .build();
    return Job.newBuilder()
        .setId(number + ".vm")
        .setNumber(number)
        .setSpec(spec)
        .setStatus(JobStatus.QUEUED)
        .setRank(1)
        .setCreatedMs(BEGIN)
        .setQueuedMs(BEGIN)
        .setEligibleMs(BEGIN)
        .setModifiedMs(BEGIN)
        .setEvents(List.of())
        .build();
  }
}
