/*
 * Copyright 2026 The HyperClock Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hyperclock.internal.errors;

import java.util.Set;

/**
 * Makes sure that the stack does not end in the middle of an operation: it ends here, before
 * anything has changed, or not at all.
 *
 * <p>A {@link StackOverflowError} strikes at the call of a method. So an operation whose steps must
 * not be torn apart first calls a method whose frame is larger than those of all its steps. The
 * interpreter makes such a frame; compiled code makes a small one, but looks whether the stack has
 * room for the large one, because it may have to go on interpreted. What the user's code needs is
 * not in it; that is called where an error does no harm.
 *
 * <p>A step may take less stack than what follows it: one of them may be compiled and the other
 * not. So to undo a step takes a reserve as well.
 *
 * <p>WART: compiled code looks page by page. Where a page of memory is larger than the frame it
 * does not look, so where pages may be that large there is a chain of calls instead: a guess, since
 * the frames of compiled steps differ. Hits make no such calls, which cost more than a hit.
 */
public final class StackReserve {
  /** Whether a page has 4 KiB, as far as is known. */
  private static final boolean HAS_SMALL_PAGES =
      Set.of("amd64", "x86_64").contains(System.getProperty("os.arch", ""));

  /** Calls below an operation, those into the JDK included; the fault tests need fewer. */
  private static final int CALLS = 48;

  /** Calls below a few steps on a slot and its ledger. */
  private static final int FEW_CALLS = 16;

  private StackReserve() {}

  /**
   * Returns if there is room for the calls of an operation, among them those with {@linkplain
   * #requireLittle a little} room: 8 KiB.
   *
   * @throws StackOverflowError if not
   */
  public static void require() {
    check(frame(1) + chain(CALLS));
  }

  /**
   * Returns if there is room for a few steps that call no code of the user's: 4 KiB.
   *
   * @throws StackOverflowError if not
   */
  public static void requireLittle() {
    check(smallFrame(1) + chain(FEW_CALLS));
  }

  /**
   * As {@link #require}, for hits: before a pin is taken or a read scope is opened. What is opened
   * can be given back.
   */
  public static void requireToPin() {
    check(frame(1));
  }

  /** As {@link #requireLittle}, for the end of what {@link #requireToPin} came before. */
  public static void requireToRelease() {
    check(smallFrame(1));
  }

  /** Keeps the calls before it. */
  private static void check(long calls) {
    if (calls == 0) {
      throw new AssertionError("calls must be counted: calls=" + calls);
    }
  }

  private static int chain(int calls) {
    return HAS_SMALL_PAGES ? 0 : call(calls, 1);
  }

  /** Not a loop, and not to be made one: the result is not that of the last call. */
  private static int call(int left, int one) {
    return left == 0 ? one : call(left - 1, one) + one;
  }

  /**
   * Returns at once. The variables are the frame. What follows them is never run; it makes the
   * method too long to become a part of its caller, and its call is a place from which compiled
   * code would go on interpreted.
   */
  private static long frame(long one) {
    if (one > 0) {
      return one;
    }
    // spotless:off
    long v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15, v16, v17, v18,
        v19, v20, v21, v22, v23, v24, v25, v26, v27, v28, v29, v30, v31, v32, v33, v34, v35,
        v36, v37, v38, v39, v40, v41, v42, v43, v44, v45, v46, v47, v48, v49, v50, v51, v52,
        v53, v54, v55, v56, v57, v58, v59, v60, v61, v62, v63, v64, v65, v66, v67, v68, v69,
        v70, v71, v72, v73, v74, v75, v76, v77, v78, v79, v80, v81, v82, v83, v84, v85, v86,
        v87, v88, v89, v90, v91, v92, v93, v94, v95, v96, v97, v98, v99, v100, v101, v102, v103,
        v104, v105, v106, v107, v108, v109, v110, v111, v112, v113, v114, v115, v116, v117,
        v118, v119, v120, v121, v122, v123, v124, v125, v126, v127, v128, v129, v130, v131,
        v132, v133, v134, v135, v136, v137, v138, v139, v140, v141, v142, v143, v144, v145,
        v146, v147, v148, v149, v150, v151, v152, v153, v154, v155, v156, v157, v158, v159,
        v160, v161, v162, v163, v164, v165, v166, v167, v168, v169, v170, v171, v172, v173,
        v174, v175, v176, v177, v178, v179, v180, v181, v182, v183, v184, v185, v186, v187,
        v188, v189, v190, v191, v192, v193, v194, v195, v196, v197, v198, v199, v200, v201,
        v202, v203, v204, v205, v206, v207, v208, v209, v210, v211, v212, v213, v214, v215,
        v216, v217, v218, v219, v220, v221, v222, v223, v224, v225, v226, v227, v228, v229,
        v230, v231, v232, v233, v234, v235, v236, v237, v238, v239, v240, v241, v242, v243,
        v244, v245, v246, v247, v248, v249, v250, v251, v252, v253, v254, v255, v256, v257,
        v258, v259, v260, v261, v262, v263, v264, v265, v266, v267, v268, v269, v270, v271,
        v272, v273, v274, v275, v276, v277, v278, v279, v280, v281, v282, v283, v284, v285,
        v286, v287, v288, v289, v290, v291, v292, v293, v294, v295, v296, v297, v298, v299,
        v300, v301, v302, v303, v304, v305, v306, v307, v308, v309, v310, v311, v312, v313,
        v314, v315, v316, v317, v318, v319, v320, v321, v322, v323, v324, v325, v326, v327,
        v328, v329, v330, v331, v332, v333, v334, v335, v336, v337, v338, v339, v340, v341,
        v342, v343, v344, v345, v346, v347, v348, v349, v350, v351, v352, v353, v354, v355,
        v356, v357, v358, v359, v360, v361, v362, v363, v364, v365, v366, v367, v368, v369,
        v370, v371, v372, v373, v374, v375, v376, v377, v378, v379, v380, v381, v382, v383,
        v384, v385, v386, v387, v388, v389, v390, v391, v392, v393, v394, v395, v396, v397,
        v398, v399, v400, v401, v402, v403, v404, v405, v406, v407, v408, v409, v410, v411,
        v412, v413, v414, v415, v416, v417, v418, v419, v420, v421, v422, v423, v424, v425,
        v426, v427, v428, v429, v430, v431, v432, v433, v434, v435, v436, v437, v438, v439,
        v440, v441, v442, v443, v444, v445, v446, v447, v448, v449, v450, v451, v452, v453,
        v454, v455, v456, v457, v458, v459, v460, v461, v462, v463, v464, v465, v466, v467,
        v468, v469, v470, v471, v472, v473, v474, v475, v476, v477, v478, v479, v480, v481,
        v482, v483, v484, v485, v486, v487, v488, v489, v490, v491, v492, v493, v494, v495,
        v496, v497, v498, v499, v500, v501, v502, v503, v504, v505, v506, v507, v508, v509,
        v510, v511, v512, v513, v514, v515, v516, v517, v518, v519;
    v0 = one;
    long[] more = {
      one, one, one, one, one, one, one, one, one, one, one, one, one, one, one, one,
      one, one, one, one, one, one, one, one, one, one, one, one, one, one, one, one,
      one, one, one, one, one, one, one, one, one, one, one, one, one, one, one, one,
      one, one, one, one, one, one, one, one, one, one, one, one, one, one, one, one,
    };
    // spotless:on
    return frame(v0 + more.length);
  }

  /** As {@link #frame}, with half as many variables. */
  private static long smallFrame(long one) {
    if (one > 0) {
      return one;
    }
    // spotless:off
    long v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15, v16, v17, v18,
        v19, v20, v21, v22, v23, v24, v25, v26, v27, v28, v29, v30, v31, v32, v33, v34, v35,
        v36, v37, v38, v39, v40, v41, v42, v43, v44, v45, v46, v47, v48, v49, v50, v51, v52,
        v53, v54, v55, v56, v57, v58, v59, v60, v61, v62, v63, v64, v65, v66, v67, v68, v69,
        v70, v71, v72, v73, v74, v75, v76, v77, v78, v79, v80, v81, v82, v83, v84, v85, v86,
        v87, v88, v89, v90, v91, v92, v93, v94, v95, v96, v97, v98, v99, v100, v101, v102, v103,
        v104, v105, v106, v107, v108, v109, v110, v111, v112, v113, v114, v115, v116, v117,
        v118, v119, v120, v121, v122, v123, v124, v125, v126, v127, v128, v129, v130, v131,
        v132, v133, v134, v135, v136, v137, v138, v139, v140, v141, v142, v143, v144, v145,
        v146, v147, v148, v149, v150, v151, v152, v153, v154, v155, v156, v157, v158, v159,
        v160, v161, v162, v163, v164, v165, v166, v167, v168, v169, v170, v171, v172, v173,
        v174, v175, v176, v177, v178, v179, v180, v181, v182, v183, v184, v185, v186, v187,
        v188, v189, v190, v191, v192, v193, v194, v195, v196, v197, v198, v199, v200, v201,
        v202, v203, v204, v205, v206, v207, v208, v209, v210, v211, v212, v213, v214, v215,
        v216, v217, v218, v219, v220, v221, v222, v223, v224, v225, v226, v227, v228, v229,
        v230, v231, v232, v233, v234, v235, v236, v237, v238, v239, v240, v241, v242, v243,
        v244, v245, v246, v247, v248, v249, v250, v251, v252, v253, v254, v255, v256, v257,
        v258, v259, v260, v261, v262, v263;
    v0 = one;
    long[] more = {
      one, one, one, one, one, one, one, one, one, one, one, one, one, one, one, one,
      one, one, one, one, one, one, one, one, one, one, one, one, one, one, one, one,
      one, one, one, one, one, one, one, one, one, one, one, one, one, one, one, one,
      one, one, one, one, one, one, one, one, one, one, one, one, one, one, one, one,
    };
    // spotless:on
    return smallFrame(v0 + more.length);
  }
}
