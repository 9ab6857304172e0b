package io.millrace.ops.origin2000;

import io.millrace.schedulers.dialects.origin2000.calendar.OriginHolidays;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfig;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfigChecks;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfigText;
import io.millrace.schedulers.dialects.origin2000.config.OriginOption;
import io.millrace.schedulers.dialects.origin2000.config.OriginPlace;
import io.millrace.schedulers.dialects.origin2000.plan.OriginRules;
import io.millrace.schedulers.dialects.origin2000.usage.InputFile;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schedulers.simulator.OriginSite;
import io.millrace.schedulers.simulator.SimulatedPolicy;
import io.millrace.schemas.HostName;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;

/** The folder of an Origin2000 scheduler as the policy of a simulation. */
public final class OriginSimulated {

  private OriginSimulated() {}

  /**
   * Reads the config and the files beside it.
   *
   * @param word as the user calls the policy
   * @param zone of the times in the files
   * @throws ConfigurationRefused on the first thing that is wrong, or that no simulation can do
   */
  public static SimulatedPolicy read(String word, Path config, ZoneId zone) throws IOException {
    OriginPlace place = new OriginPlace(HostName.whole().toLowerCase(Locale.ROOT), zone);
    String name = config.toString();
    OriginConfig options = OriginConfigText.read(name, OriginFiles.text(config), place).config();
    OriginConfigChecks.check(name, options, command -> true);
    refuse(name, options);
    OriginFiles files = new OriginFiles(config.toAbsolutePath().getParent());
    String accounts = options.word(OriginOption.SCHED_ACCT_DIR).map(it -> it + "/").orElse("");
    return SimulatedPolicy.origin(
        word,
        new OriginSite(
            new OriginRules(options, place, holidays(files), true),
            files.input("decay_usage"),
            accounts.isEmpty() ? InputFile.NONE : files.input(accounts + "allocations"),
            accounts.isEmpty() ? InputFile.NONE : files.input(accounts + "current")));
  }

  private static void refuse(String name, OriginConfig options) {
    for (OriginOption option :
        List.of(OriginOption.ENFORCE_DEDICATED_TIME, OriginOption.MANAGE_HPM_COUNTERS)) {
      if (options.on(option)) {
        throw new ConfigurationRefused(
            name, 0, option + " needs a program of the site, and a simulation runs none");
      }
    }
    if (options.on(OriginOption.TEST_ONLY)) {
      throw new ConfigurationRefused(name, 0, "TEST_ONLY: nothing would ever start");
    }
    if (options.word(OriginOption.SORTED_JOB_DUMPFILE).isPresent()) {
      throw new ConfigurationRefused(name, 0, "SORTED_JOB_DUMPFILE: a simulation writes no files");
    }
  }

  private static OriginHolidays holidays(OriginFiles files) throws IOException {
    return OriginTexts.holidays(files);
  }
}
