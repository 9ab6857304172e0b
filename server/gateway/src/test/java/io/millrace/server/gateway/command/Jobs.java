package io.millrace.server.gateway.command;

import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobEvent;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.Suspension;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Jobs as the recordings have them. */
public final class Jobs {

  static final long SUBMITTED_MS = Instant.parse("2026-11-20T15:35:54Z").toEpochMilli();

  private Jobs() {}

  /** Job 1 of the recording 08, running or waiting. */
  public static Job fromScript(long number, JobStatus status) {
    Job job = new Job();
    job.setDepend(List.of());
    job.setId(number + ".vm");
    job.setNumber(number);
    job.setSpec(spec());
    job.setStatus(status);
    job.setHolds("n");
    job.setKilling(KillPurpose.NONE);
    job.setCreatedMs(SUBMITTED_MS);
    job.setQueuedMs(SUBMITTED_MS);
    job.setEligibleMs(SUBMITTED_MS);
    job.setModifiedMs(SUBMITTED_MS);
    job.setStartedMs(-1);
    job.setSuspension(Suspension.NONE);
    job.setResumedMs(-1);
    job.setFinishedMs(-1);
    job.setComment("");
    job.setEndedBy("");
    job.setPreemptedFor("");
    job.setScheduler("");
    job.setOfferedTo(-1);
    job.setOfferedQueue("");
    job.setEvents(List.of(new JobEvent(SUBMITTED_MS, "queued", "workq")));
    if (status == JobStatus.RUNNING) {
      job.setRun(1);
      job.setStartedMs(SUBMITTED_MS);
      job.setAllocation(new Allocation(List.of(), "vm/0", "(vm[6]:ncpus=1)", null));
    }
    return job;
  }

  private static JobSpec spec() {
    JobSpec spec = new JobSpec();
    spec.setName("fromscript");
    spec.setOwner("pbsu1");
    spec.setGroup("pbsu1");
    spec.setSubmitHost("vm");
    spec.setQueue("workq");
    spec.setRerunnable(true);
    spec.setAccount("");
    spec.setProject("_pbs_project_default");
    spec.setRequest(
        new ResourceRequest(
            List.of(new Chunk(1, Map.of("ncpus", 1L), Map.of())), "pack", 600L, Map.of()));
    spec.setResourceList(
        attributes(
            "ncpus",
            "1",
            "nodect",
            "1",
            "place",
            "pack",
            "select",
            "1:ncpus=1",
            "walltime",
            "00:10:00"));
    spec.setOutputPath("vm:/home/pbsu1/fromscript.o1");
    spec.setErrorPath("vm:/home/pbsu1/fromscript.e1");
    spec.setJoinPath("n");
    spec.setShell("");
    spec.setTerminal("");
    spec.setCampaign("");
    spec.setVariables(
        attributes(
            "PBS_O_HOME",
            "/home/pbsu1",
            "PBS_O_LANG",
            "C.UTF-8",
            "PBS_O_LOGNAME",
            "pbsu1",
            "PBS_O_PATH",
            "/opt/pbs/bin:/opt/pbs/sbin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:"
                + "/bin",
            "PBS_O_MAIL",
            "/var/mail/pbsu1",
            "PBS_O_SHELL",
            "/bin/bash",
            "PBS_O_WORKDIR",
            "/home/pbsu1",
            "PBS_O_SYSTEM",
            "Linux",
            "PBS_O_QUEUE",
            "workq",
            "PBS_O_HOST",
            "vm"));
    spec.setScriptHash(ByteBuffer.wrap(new byte[32]));
    spec.setArgv(List.of());
    spec.setSubmitArguments("job.sh");
    spec.setExtra(List.of());
    return spec;
  }

  public static List<Attribute> attributes(String... pairs) {
    List<Attribute> attributes = new ArrayList<>();
    for (int i = 0; i < pairs.length; i += 2) {
      attributes.add(new Attribute(pairs[i], pairs[i + 1]));
    }
    return attributes;
  }
}
