package io.millrace.schedulers.core;

import io.millrace.schedulers.core.policy.Policies;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** Scratch. */
final class TraceSpeed {
  public static void main(String[] args) throws Exception {
    int procs = Integer.parseInt(args[1]);
    List<PoolReplay.PoolJob> jobs = new ArrayList<>();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(new GZIPInputStream(new FileInputStream(args[0]))))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.startsWith(";") || line.isBlank()) {
          continue;
        }
        String[] f = line.trim().split("\\s+");
        long p = Long.parseLong(f[7]) > 0 ? Long.parseLong(f[7]) : Long.parseLong(f[4]);
        long run = Long.parseLong(f[3]);
        if (run <= 0 || p <= 0 || p > procs) {
          continue;
        }
        jobs.add(
            new PoolReplay.PoolJob(
                Long.parseLong(f[1]), (int) p, run, Math.max(run, Long.parseLong(f[8]))));
      }
    }
    int rounds = Integer.parseInt(args[3]);
    for (int round = 0; round < rounds; round++) {
      PoolReplay replay = new PoolReplay(procs, Policies.find(args[2]).get(), jobs);
      long begin = System.nanoTime();
      replay.run();
      double s = (System.nanoTime() - begin) / 1e9;
      double wait = 0;
      double slow = 0;
      for (int i = 0; i < jobs.size(); i++) {
        double w = replay.started[i] - jobs.get(i).submit();
        wait += w;
        slow += Math.max(1, (w + jobs.get(i).run()) / (double) Math.max(jobs.get(i).run(), 10));
      }
      System.out.printf(
          "%s %d jobs %.2f s %.0f jobs/s, %d cycles, wait %.0f bsld %.2f%n",
          args[2],
          jobs.size(),
          s,
          jobs.size() / s,
          replay.cycles,
          wait / jobs.size(),
          slow / jobs.size());
    }
  }
}
