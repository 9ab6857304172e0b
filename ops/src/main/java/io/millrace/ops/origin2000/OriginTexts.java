package io.millrace.ops.origin2000;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.schedulers.dialects.origin2000.calendar.OriginHolidays;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfig;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfigChecks;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfigText;
import io.millrace.schedulers.dialects.origin2000.config.OriginOption;
import io.millrace.schedulers.dialects.origin2000.config.OriginPlace;
import io.millrace.schedulers.dialects.origin2000.config.OriginType;
import io.millrace.schedulers.dialects.origin2000.config.OriginVariance;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/** The texts of a case: its configuration and its holidays, read and shown. */
final class OriginTexts {

  static final String CONFIG = "config";
  static final String HOLIDAYS = "holidays";

  private OriginTexts() {}

  /** Reads and checks the configuration. */
  static OriginConfig config(OriginFiles files, OriginPlace place) throws IOException {
    String name = files.place(CONFIG).toString();
    String text =
        files
            .read(CONFIG)
            .orElseThrow(() -> new ConfigurationRefused(name, 0, "there is no such file"));
    OriginConfigText.OriginConfigRead read = OriginConfigText.read(name, text, place);
    read.warnings().forEach(it -> System.err.println("millrace simulate: " + it));
    OriginConfigChecks.check(
        name, read.config(), command -> Files.isExecutable(files.place(command)));
    return read.config();
  }

  static OriginHolidays holidays(OriginFiles files) throws IOException {
    String name = files.place(HOLIDAYS).toString();
    OriginHolidays holidays =
        files
            .read(HOLIDAYS)
            .map(text -> OriginHolidays.read(name, text))
            .orElse(OriginHolidays.NONE);
    holidays.warnings().forEach(it -> System.err.println("millrace simulate: " + it));
    return holidays;
  }

  /** All values: times in seconds, dates as seconds since 1970, booleans as 0 and 1. */
  static ObjectNode settings(OriginConfig config) {
    ObjectNode settings = CaseJson.MAPPER.createObjectNode();
    for (OriginOption option : OriginOption.values()) {
      if (isTold(option)) {
        tell(settings, option, config);
      }
    }
    return settings;
  }

  private static boolean isTold(OriginOption option) {
    return !List.of(
            OriginOption.HIGH_SYSTIME,
            OriginOption.MAX_DEDICATED_JOBS,
            OriginOption.MAX_USER_RUN_JOBS,
            OriginOption.SERVER_HOST,
            OriginOption.SCHED_HOST)
        .contains(option);
  }

  private static void tell(ObjectNode settings, OriginOption option, OriginConfig config) {
    if (option.type() == OriginType.QUEUES) {
      ArrayNode list = settings.putArray(option.name());
      config.queues(option).forEach(it -> list.add(it.toString()));
    } else if (option.type() == OriginType.VARIANCE) {
      OriginVariance variance = config.variance(option);
      settings.put(option + "_minus", variance.minus()).put(option + "_plus", variance.plus());
    } else if (option.type() == OriginType.REAL) {
      settings.put(option.name(), config.real(option));
    } else if (option.type() == OriginType.WORD || option.type() == OriginType.NAME) {
      settings.put(option.name(), config.word(option).orElse(null));
    } else {
      settings.put(option.name(), config.number(option));
    }
  }
}
