package io.millrace.reservations.classad.plus;

/** The four programs of PluS's manual, 3.4.5, which administrators have in use. */
final class SamplePrograms {

  /** 3.4.5.1: by what a node does now. */
  static final String BY_STATE =
      """
      [
          UnusableNodes = { "unusableA", "unusableB" };

          PLUS_NODE_RESERVABLE =
              (PLUS_CANDIDATE_NODE.nRunJobs == 0 &&
               PLUS_CANDIDATE_NODE.isAlive &&
               PLUS_CANDIDATE_NODE.loadavg <= 0.3 &&
               !member(PLUS_CANDIDATE_NODE.name, UnusableNodes));
      ]
      """;

  /** 3.4.5.2: so many of the nodes, by who asks and how long before. */
  static final String BY_NOTICE =
      """
      [
          MaxPeriod = relTime("00:30:00");
          MinPeriod = relTime("02:00:00");
          LimitPeriod = relTime("7d");
          MaxReserveDuration = relTime("2d");
          VIPs = { "userA", "userB", "userC" };
          Users = { "userX" };
          VIPRatio = 100.0;
          UsersMaxRatio = 90.0;
          UsersMinRatio = 50.0;
          OthersMaxRatio = 50.0;
          OthersMinRatio = 30.0;

          MaxRatio = member(PLUS_RSV_OWNER, Users) ? UsersMaxRatio : OthersMaxRatio;
          MinRatio = member(PLUS_RSV_OWNER, Users) ? UsersMinRatio : OthersMinRatio;
          now = absTime(time());
          prev = PLUS_RSV_START - now;
          duration = PLUS_RSV_END - PLUS_RSV_START;
          ratioFunc = linear(prev, MaxPeriod, MaxRatio, MinPeriod, MinRatio);
          rsvRatio =
              (prev <= relTime("0") || LimitPeriod <= prev || duration >= MaxReserveDuration) ? 0 :
              member(PLUS_RSV_OWNER, VIPs) ? VIPRatio :
              (prev <= MaxPeriod) ? MaxRatio :
              (prev >= MinPeriod) ? MinRatio : ratioFunc;

          nAllocate = size(PLUS_ALLOCATED_NODES) + 1;
          nAllocatable = size(PLUS_ALL_NODES) * 0.01 * rsvRatio;
          PLUS_NODE_RESERVABLE = (nAllocate <= nAllocatable);
      ]
      """;

  /** 3.4.5.3: as long as the owner has not too much already. */
  static final String BY_USE =
      """
      [
          UtilCheckPeriod = relTime("7d");
          MaxReserveCount = 100;
          MaxReserveDuration = relTime("2d");
          MaxReserveHourNode = 1000.0;

          now = absTime(time());
          util = plus_rsvutil(PLUS_RSV_OWNER,
              now - UtilCheckPeriod, now + UtilCheckPeriod);

          PLUS_NODE_RESERVABLE =
              ((util[0] <= MaxReserveCount) &&
               (util[1] <= MaxReserveDuration) &&
               (util[2] <= MaxReserveHourNode));
      ]
      """;

  /** 3.4.5.4: nodes of projects. */
  static final String BY_PROJECT =
      """
      [
          Proj1Users = { "userA", "userB" };
          Proj1Nodes = { "node1", "node2" };
          Proj2Users = { "userA", "userC" };
          Proj2Nodes = { "node3", "node4" };

          avail1 = member(PLUS_RSV_OWNER, Proj1Users)
                  ? member(PLUS_CANDIDATE_NODE.name, Proj1Nodes) : false;
          avail2 = member(PLUS_RSV_OWNER, Proj2Users)
                  ? member(PLUS_CANDIDATE_NODE.name, Proj2Nodes) : false;

          PLUS_NODE_RESERVABLE = (avail1 || avail2);
      ]
      """;

  private SamplePrograms() {}
}
