package io.millrace.schedulers.dialects.origin2000.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.fact.EntityAmount;
import io.millrace.schemas.fact.RunCharge;
import io.millrace.schemas.fact.UsageCharged;
import io.millrace.schemas.fact.UsageFaded;
import io.millrace.schemas.fact.UsagesForgotten;
import io.millrace.schemas.fact.UsagesSet;
import io.millrace.schemas.pbs.origin.StartUsage;
import io.millrace.schemas.pbs.schedconfig.share.FadedUsage;
import io.millrace.schemas.state.EntityUsage;
import io.millrace.schemas.state.Scheduler;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/** Past usage is the same for an engine that has followed the facts and for one built anew. */
class OriginFiguresTest {
  private static final FactMeta META = new FactMeta(1L, 1L, new CommandId(new byte[16]), "u");
  private static final int FACTS = 200;
  private static final int SEEDS = 300;

  /** The shard's records, as its facts make them. */
  private static final class Shard {
    private final Map<String, EntityUsage> records = new HashMap<>();
    private final OriginFollower followed = new OriginFollower("default", 0);
    private double faded;

    void tell(SpecificRecord fact) {
      followed.follow(fact);
    }

    void charge(String entity, long figure) {
      EntityUsage before = records.get(entity);
      long now =
          before == null
              ? FadedUsage.LEAST_MILLI
              : FadedUsage.now(before.getMilli(), before.getFaded(), faded);
      put(entity, FadedUsage.plus(now, StartUsage.more(figure)));
      RunCharge charge = new RunCharge(1L, 1, entity, StartUsage.more(figure));
      tell(new UsageCharged(META, "default", List.of(charge), 0L));
      tell(new UsageCharged(META, "other", List.of(charge), 0L));
    }

    void put(String entity, long milli) {
      records.put(entity, new EntityUsage("default", entity, milli, faded));
    }

    void fade() {
      faded += FadedUsage.of(0.75);
      tell(new UsageFaded(META, "default", faded, 0L, 0L));
    }

    Map<String, Double> anew() {
      OriginFollower anew = new OriginFollower("default", 0);
      anew.scheduler(Scheduler.newBuilder().setName("other").setFaded(9).build());
      anew.scheduler(Scheduler.newBuilder().setName("default").setFaded(faded).build());
      records.values().forEach(anew::usage);
      return anew.usage();
    }
  }

  @Test
  void builtAnewIsFollowed() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Random random = new Random(seed);
      Shard shard = new Shard();
      for (int i = 0; i < FACTS; i++) {
        String entity = StartUsage.entity("g:u" + random.nextInt(8));
        switch (random.nextInt(8)) {
          case 0 -> shard.fade();
          case 1 -> {
            long milli = StartUsage.milli(random.nextInt(100));
            shard.put(entity, milli);
            shard.tell(new UsagesSet(META, "default", List.of(new EntityAmount(entity, milli))));
          }
          case 2 -> {
            shard.records.remove(entity);
            shard.tell(new UsagesForgotten(META, "default", List.of(entity), "m"));
          }
          default -> shard.charge(entity, random.nextBoolean() ? 10 : 1);
        }
      }
      assertEquals(shard.anew(), shard.followed.usage(), "seed " + seed);
      assertTrue(!shard.anew().isEmpty(), "seed " + seed);
    }
  }

  @Test
  void whatIsUsedFadesByTheFactorAndFairShareIsNotLookedAt() {
    Shard shard = new Shard();
    shard.charge(StartUsage.entity("g:ann"), 10);
    shard.charge("euser", 500);
    shard.fade();
    assertEquals(7.5, shard.followed.usage().get("g:ann"), 0.001);
    assertEquals(1, shard.followed.usage().size());
  }
}
