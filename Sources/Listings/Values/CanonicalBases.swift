/// The canonical decompositions of Unicode, without the marks that comparisons ignore.
///
/// The standard library compares strings by them, but does not expose them. The table is from
/// Unicode 13, the version of PostgreSQL 13, because its `normalize` must give the same results.
enum CanonicalBases {
    /// The scalars of a decomposition: at most three of 21 bits each, the first in the lowest bits.
    typealias Packed = UInt64

    /// Nil if the scalar has no decomposition.
    ///
    /// - Complexity: O(log runs).
    static func of(_ scalar: UInt32) -> Packed? {
        switch scalar {
        case 0xC0...0x30FE, 0xF900...0x2FA1D: break
        case 0xAC00...0xD7A3: return syllable(scalar - 0xAC00)
        default: return nil
        }
        var low = 0
        var high = runs.count
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].first <= scalar { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let run = runs[low - 1]
        let offset = Int(scalar - run.first)
        guard offset < run.bases.count, run.bases[offset] != 0 else { return nil }
        return run.bases[offset]
    }

    /// Unicode 3.12: 19 initial consonants, 21 vowels, and 27 final consonants or none.
    private static func syllable(_ number: UInt32) -> Packed {
        let last = number % 28
        return Packed(0x1100 + number / 588) | Packed(0x1161 + number % 588 / 28) << 21
            | (last == 0 ? 0 : Packed(0x11A7 + last) << 42)
    }

    private struct Run {
        let first: UInt32
        let bases: [Packed]

        init(_ first: UInt32, _ text: String) {
            var bases: [Packed] = []
            var shift: Packed = 0
            var isJoined = false
            for scalar in text.unicodeScalars {
                let base = Packed(scalar.value)
                switch scalar {
                case ".": bases.append(0)
                case "+": isJoined = true
                default:
                    shift = isJoined ? shift + 21 : 0
                    if isJoined { bases[bases.count - 1] |= base << shift }
                    if !isJoined { bases.append(base) }
                    isJoined = false
                }
            }
            self.first = first
            self.bases = bases
        }
    }

    private static let runs = texts.map { Run($0, $1) }

    /// The first scalar of each run, and the decompositions of its scalars.
    ///
    /// Generated with Python's `unicodedata`: the NFD of each scalar, without the combining classes
    /// that ``TextCollation`` ignores. `.` means none, `+` precedes the second and third scalar.
    private static let texts: [(UInt32, String)] = [
        (
            0x00C0,
            """
            AAAAAA.CEEEEIIII.NOOOOO..UUUUY..aaaaaa.ceeeeiiii.nooooo..uuuuy.yAaAaAaCcCcCcCcDd..EeEe\
            EeEeEeGgGgGgGgHh..IiIiIiIiI...JjKk.LlLlLl....NnNnNn...OoOoOo..RrRrRrSsSsSsSsTtTt..UuUu\
            UuUuUuUuWwYyYZzZzZz
            """
        ),
        (0x01A0, "Oo"),
        (0x01AF, "Uu"),
        (
            0x01CD,
            """
            AaIiOoUuUuUuUuUu.AaAaÆæ..GgKkOoOoƷʒj...Gg..NnAaÆæØøAaAaEeEeIiIiOoOoRrRrUuUuSsTt..Hh...\
            ...AaEeOoOoOoOoYy
            """
        ),
        (0x0374, "ʹ"),
        (0x037E, ";......¨Α·ΕΗΙ.Ο.ΥΩι"),
        (0x03AA, "ΙΥαεηιυ"),
        (0x03CA, "ιυουω....ϒϒ"),
        (0x0400, "ЕЕ.Г...І....КИУ"),
        (0x0419, "И"),
        (0x0439, "и"),
        (0x0450, "ее.г...і....киу"),
        (0x0476, "Ѵѵ"),
        (0x04C1, "Жж"),
        (0x04D0, "АаАа..Ее..ӘәЖжЗз..ИиИиОо..ӨөЭэУуУуУуЧч..Ыы"),
        (0x0622, "\u{627}\u{627}\u{648}\u{627}\u{64A}"),
        (0x06C0, "\u{6D5}.\u{6C1}"),
        (0x06D3, "\u{6D2}"),
        (0x0929, "\u{928}.......\u{930}..\u{933}"),
        (0x0958, "\u{915}\u{916}\u{917}\u{91C}\u{921}\u{922}\u{92B}\u{92F}"),
        (0x09CB, "\u{9C7}+\u{9BE}\u{9C7}+\u{9D7}"),
        (0x09DC, "\u{9A1}\u{9A2}.\u{9AF}"),
        (0x0A33, "\u{A32}..\u{A38}"),
        (0x0A59, "\u{A16}\u{A17}\u{A1C}..\u{A2B}"),
        (0x0B48, "\u{B47}+\u{B56}..\u{B47}+\u{B3E}\u{B47}+\u{B57}"),
        (0x0B5C, "\u{B21}\u{B22}"),
        (0x0B94, "\u{B92}+\u{BD7}"),
        (0x0BCA, "\u{BC6}+\u{BBE}\u{BC7}+\u{BBE}\u{BC6}+\u{BD7}"),
        (0x0C48, "\u{C46}+\u{C56}"),
        (
            0x0CC0,
            """
            \u{CBF}+\u{CD5}......\u{CC6}+\u{CD5}\u{CC6}+\u{CD6}.\u{CC6}+\u{CC2}\
            \u{CC6}+\u{CC2}+\u{CD5}
            """
        ),
        (0x0D4A, "\u{D46}+\u{D3E}\u{D47}+\u{D3E}\u{D46}+\u{D57}"),
        (0x0DDA, "\u{DD9}.\u{DD9}+\u{DCF}\u{DD9}+\u{DCF}\u{DD9}+\u{DDF}"),
        (0x0F43, "\u{F42}+\u{FB7}"),
        (0x0F4D, "\u{F4C}+\u{FB7}....\u{F51}+\u{FB7}....\u{F56}+\u{FB7}....\u{F5B}+\u{FB7}"),
        (0x0F69, "\u{F40}+\u{FB5}"),
        (
            0x0F73,
            """
            \u{F71}+\u{F72}.\u{F71}+\u{F74}\u{FB2}+\u{F80}.\u{FB3}+\u{F80}........\u{F71}+\u{F80}
            """
        ),
        (0x0F93, "\u{F92}+\u{FB7}"),
        (0x0F9D, "\u{F9C}+\u{FB7}....\u{FA1}+\u{FB7}....\u{FA6}+\u{FB7}....\u{FAB}+\u{FB7}"),
        (0x0FB9, "\u{F90}+\u{FB5}"),
        (0x1026, "\u{1025}+\u{102E}"),
        (
            0x1B06,
            """
            \u{1B05}+\u{1B35}.\u{1B07}+\u{1B35}.\u{1B09}+\u{1B35}.\u{1B0B}+\u{1B35}.\
            \u{1B0D}+\u{1B35}...\u{1B11}+\u{1B35}
            """
        ),
        (
            0x1B3B,
            """
            \u{1B3A}+\u{1B35}.\u{1B3C}+\u{1B35}..\u{1B3E}+\u{1B35}\u{1B3F}+\u{1B35}.\
            \u{1B42}+\u{1B35}
            """
        ),
        (
            0x1E00,
            """
            AaBbBbBbCcDdDdDdDdDdEeEeEeEeEeFfGgHhHhHhHhHhIiIiKkKkKkLlLlLlLlMmMmMmNnNnNnNnOoOoOoOoPp\
            PpRrRrRrRrSsSsSsSsSsTtTtTtTtUuUuUuUuUuVvVvWwWwWwWwWwXxXxYyZzZzZzhtwy.ſ....AaAaAaAaAaAa\
            AaAaAaAaAaAaEeEeEeEeEeEeEeEeIiIiOoOoOoOoOoOoOoOoOoOoOoOoUuUuUuUuUuUuUuYyYyYyYy......αα\
            ααααααΑΑΑΑΑΑΑΑεεεεεε..ΕΕΕΕΕΕ..ηηηηηηηηΗΗΗΗΗΗΗΗιιιιιιιιΙΙΙΙΙΙΙΙοοοοοο..ΟΟΟΟΟΟ..υυυυυυυυ\
            .Υ.Υ.Υ.ΥωωωωωωωωΩΩΩΩΩΩΩΩααεεηηιιοουυωω..ααααααααΑΑΑΑΑΑΑΑηηηηηηηηΗΗΗΗΗΗΗΗωωωωωωωωΩΩΩΩΩΩ\
            ΩΩααααα.ααΑΑΑΑΑ.ι..¨ηηη.ηηΕΕΗΗΗ᾿᾿᾿ιιιι..ιιΙΙΙΙ.῾῾῾υυυυρρυυΥΥΥΥΡ¨¨`..ωωω.ωωΟΟΩΩΩ´..  
            """
        ),
        (0x2126, "Ω...KA"),
        (0x219A, "←→"),
        (0x21AE, "↔"),
        (0x21CD, "⇐⇔⇒"),
        (0x2204, "∃....∈..∋"),
        (0x2224, "∣.∥"),
        (0x2241, "∼..≃..≅.≈"),
        (0x2260, "=.≡"),
        (0x226D, "≍<>≤≥..≲≳..≶≷......≺≻..⊂⊃..⊆⊇"),
        (0x22AC, "⊢⊨⊩⊫"),
        (0x22E0, "≼≽⊑⊒......⊲⊳⊴⊵"),
        (0x2329, "〈〉"),
        (0x2ADC, "⫝"),
        (0x304C, "か.き.く.け.こ.さ.し.す.せ.そ.た.ち..つ.て.と......はは.ひひ.ふふ.へへ.ほほ"),
        (0x3094, "う"),
        (0x309E, "ゝ"),
        (0x30AC, "カ.キ.ク.ケ.コ.サ.シ.ス.セ.ソ.タ.チ..ツ.テ.ト......ハハ.ヒヒ.フフ.ヘヘ.ホホ"),
        (0x30F4, "ウ..ワヰヱヲ...ヽ"),
        (
            0xF900,
            """
            豈更車賈滑串句龜龜契金喇奈懶癩羅蘿螺裸邏樂洛烙珞落酪駱亂卵欄爛蘭鸞嵐濫藍襤拉臘蠟廊朗浪狼郎來冷勞擄櫓爐盧老蘆虜路露魯鷺碌祿綠菉錄鹿論壟弄籠聾牢磊賂雷壘屢樓淚漏累縷陋勒肋凜凌\
            稜綾菱陵讀拏樂諾丹寧怒率異北磻便復不泌數索參塞省葉說殺辰沈拾若掠略亮兩凉梁糧良諒量勵呂女廬旅濾礪閭驪麗黎力曆歷轢年憐戀撚漣煉璉秊練聯輦蓮連鍊列劣咽烈裂說廉念捻殮簾獵令囹寧嶺\
            怜玲瑩羚聆鈴零靈領例禮醴隸惡了僚寮尿料樂燎療蓼遼龍暈阮劉杻柳流溜琉留硫紐類六戮陸倫崙淪輪律慄栗率隆利吏履易李梨泥理痢罹裏裡里離匿溺吝燐璘藺隣鱗麟林淋臨立笠粒狀炙識什茶刺切度\
            拓糖宅洞暴輻行降見廓兀嗀..塚.晴..凞猪益礼神祥福靖精羽.蘒.諸..逸都...飯飼館鶴郞隷侮僧免勉勤卑喝嘆器塀墨層屮悔慨憎懲敏既暑梅海渚漢煮爫琢碑社祉祈祐祖祝禍禎穀突節練\
            縉繁署者臭艹艹著褐視謁謹賓贈辶逸難響頻恵𤋮舘..並况全侀充冀勇勺喝啕喙嗢塚墳奄奔婢嬨廒廙彩徭惘慎愈憎慠懲戴揄搜摒敖晴朗望杖歹殺流滛滋漢瀞煮瞧爵犯猪瑱甆画瘝瘟益盛直睊着磌窱節\
            类絛練缾者荒華蝹襁覆視調諸請謁諾諭謹變贈輸遲醙鉶陼難靖韛響頋頻鬒龜𢡊𢡄𣏕㮝䀘䀹𥉉𥳐𧻓齃龎
            """
        ),
        (0xFB1D, "\u{5D9}.\u{5F2}"),
        (
            0xFB2A,
            """
            \u{5E9}\u{5E9}\u{5E9}\u{5E9}\u{5D0}\u{5D0}\u{5D0}\u{5D1}\u{5D2}\u{5D3}\u{5D4}\u{5D5}\
            \u{5D6}.\u{5D8}\u{5D9}\u{5DA}\u{5DB}\u{5DC}.\u{5DE}.\u{5E0}\u{5E1}.\u{5E3}\u{5E4}.\
            \u{5E6}\u{5E7}\u{5E8}\u{5E9}\u{5EA}\u{5D5}\u{5D1}\u{5DB}\u{5E4}
            """
        ),
        (0x1109A, "\u{11099}.\u{1109B}"),
        (0x110AB, "\u{110A5}"),
        (0x1112E, "\u{11131}+\u{11127}\u{11132}+\u{11127}"),
        (0x1134B, "\u{11347}+\u{1133E}\u{11347}+\u{11357}"),
        (0x114BB, "\u{114B9}+\u{114BA}\u{114B9}+\u{114B0}.\u{114B9}+\u{114BD}"),
        (0x115BA, "\u{115B8}+\u{115AF}\u{115B9}+\u{115AF}"),
        (0x11938, "\u{11935}+\u{11930}"),
        (0x1D15E, "\u{1D157}\u{1D158}\u{1D158}\u{1D158}\u{1D158}\u{1D158}\u{1D158}"),
        (0x1D1BB, "\u{1D1B9}\u{1D1BA}\u{1D1B9}\u{1D1BA}\u{1D1B9}\u{1D1BA}"),
        (
            0x2F800,
            """
            丽丸乁𠄢你侮侻倂偺備僧像㒞𠘺免兔兤具𠔜㒹內再𠕋冗冤仌冬况𩇟凵刃㓟刻剆割剷㔕勇勉勤勺包匆北卉卑博即卽卿卿卿𠨬灰及叟𠭣叫叱吆咞吸呈周咢哶唐啓啣善善喙喫喳嗂圖嘆圗噑噴切壮城埴堍型\
            堲報墬𡓤売壷夆多夢奢𡚨𡛪姬娛娧姘婦㛮㛼嬈嬾嬾𡧈寃寘寧寳𡬘寿将当尢㞁屠屮峀岍𡷤嵃𡷦嵮嵫嵼巡巢㠯巽帨帽幩㡢𢆃㡼庰庳庶廊𪎒廾𢌱𢌱舁弢弢㣇𣊸𦇚形彫㣣徚忍志忹悁㤺㤜悔𢛔惇慈慌慎慌慺憎\
            憲憤憯懞懲懶成戛扝抱拔捐𢬌挽拼捨掃揤𢯱搢揅掩㨮摩摾撝摷㩬敏敬𣀊旣書晉㬙暑㬈㫤冒冕最暜肭䏙朗望朡杞杓𣏃㭉柺枅桒梅𣑭梎栟椔㮝楂榣槪檨𣚣櫛㰘次𣢧歔㱎歲殟殺殻𣪍𡴋𣫺汎𣲼沿泍汧洖派海\
            流浩浸涅𣴞洴港湮㴳滋滇𣻑淹潮𣽞𣾎濆瀹瀞瀛㶖灊災灷炭𠔥煅𤉣熜𤎫爨爵牐𤘈犀犕𤜵𤠔獺王㺬玥㺸㺸瑇瑜瑱璅瓊㼛甤𤰶甾𤲒異𢆟瘐𤾡𤾸𥁄㿼䀈直𥃳𥃲𥄙𥄳眞真真睊䀹瞋䁆䂖𥐝硎碌磌䃣𥘦祖𥚚𥛅福秫\
            䄯穀穊穏𥥼𥪧𥪧竮䈂𥮫篆築䈧𥲀糒䊠糨糣紀𥾆絣䌁緇縂繅䌴𦈨𦉇䍙𦋙罺𦌾羕翺者𦓚𦔣聠𦖨聰𣍟䏕育脃䐋脾媵𦞧𦞵𣎓𣎜舁舄辞䑫芑芋芝劳花芳芽苦𦬼若茝荣莭茣莽菧著荓菊菌菜𦰶𦵫𦳕䔫蓱蓳蔖𧏊蕤𦼬\
            䕝䕡𦾱𧃒䕫虐虜虧虩蚩蚈蜎蛢蝹蜨蝫螆䗗蟡蠁䗹衠衣𧙧裗裞䘵裺㒻𧢮𧥦䚾䛇誠諭變豕𧲨貫賁贛起𧼯𠠄跋趼跰𠣞軔輸𨗒𨗭邔郱鄑𨜮鄛鈸鋗鋘鉼鏹鐕𨯺開䦕閷𨵷䧦雃嶲霣𩅅𩈚䩮䩶韠𩐊䪲𩒖頋頋頩𩖶飢䬳\
            餩馧駂駾䯎𩬰鬒鱀鳽䳎䳭鵧𪃎䳸𪄅𪈎𪊑麻䵖黹黾鼅鼏鼖鼻𪘀
            """
        ),
    ]
}
