/// Seeds that together reach most of the core, in an order in which each adds much to those before.
///
/// Most mistakes show in the first runs that get to their place at all, and blind seeds go to the
/// same places again and again. `Tests/Mutants/run.sh --choose 1000 530 100` has chosen these, by
/// the counters of the compiler. After changes of the core they still reach much; they are chosen
/// anew when mixes draw something else.
package enum GuidedSeeds {
    package static let chosen: [UInt64] = [
        1095, 1340, 1073, 1503, 1335, 1386, 1323, 1026, 1096, 1529, 1068, 1136, 1388, 1148, 1421,
        1029, 1364, 1005, 1169, 1234, 1422, 1079, 1524, 1174, 1082, 1441, 1034, 1152, 1351, 1055,
        1496, 1276, 1252, 1453, 1274, 1415, 1343, 1187, 1477, 1012, 1333, 1306, 1069, 1369, 1272,
        1393, 1471, 1515, 1128, 1437, 1072, 1123, 1114, 1403, 1417, 1372, 1319, 1436, 1231, 1305,
        1528, 1454, 1254, 1416, 1018, 1022, 1093, 1104, 1309, 1464, 1493, 1160, 1186, 1188, 1106,
        1381, 1011, 1134, 1177, 1195, 1240, 1120, 1020, 1292, 1423, 1313, 1209, 1336, 1525, 1014,
        1184, 1505, 1491, 1523, 1019, 1384, 1482, 1389, 1327, 1527,
    ]

    /// The seed of a run: the chosen ones come first, and then all from 0 on.
    package static func seed(of run: UInt64) -> UInt64 {
        let count = UInt64(chosen.count)
        return run < count ? chosen[Int(run)] : run - count
    }
}
