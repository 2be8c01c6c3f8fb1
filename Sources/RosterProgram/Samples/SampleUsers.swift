package enum SampleUsers {
    /// Sixty users in three occupations as unsorted CSV text, with a header line.
    ///
    /// The names use eight scripts, two of them written from right to left. There are accents,
    /// apostrophes, a quoted value and missing values. Rows are numbered in this order.
    package static let csv: String = #"""
        firstName,lastName,occupation,email,city,joined,age
        Grace,Okafor,Engineer,grace.okafor@example.org,Lagos,2021-03-15,34
        Zoë,van der Berg,Designer,zoe.vanderberg@example.com,Utrecht,2020-11-02,29
        Liam,O'Brien,Writer,liam.obrien@example.org,Cork,2019-06-24,47
        Łukasz,Wiśniewski,Engineer,lukasz.wisniewski@example.com,Kraków,2022-01-10,38
        נועה,לוי,Engineer,noa.levi@example.org,תל אביב,2023-04-03,31
        Søren,Østergaard,Engineer,soeren@example.com,Århus,2018-09-17,52
        美咲,佐藤,Designer,misaki.sato@example.org,東京,2021-08-30,27
        Élodie,Lefèvre,Writer,elodie.lefevre@example.org,Lyon,2020-02-29,41
        Marcus,Thompson,Engineer,marcus.thompson@example.com,"Washington, D.C.",2017-05-08,58
        فاطمة,الزهراء,Writer,fatima@example.org,الدار البيضاء,2022-10-12,36
        伟,张,Engineer,wei.zhang@example.com,上海,2019-12-01,33
        Priya,Raghunathan,Engineer,priya.raghunathan@example.org,Chennai,2023-07-19,25
        Björk,Jónsdóttir,Designer,bjork.jonsdottir@example.org,Reykjavík,2021-05-06,39
        ,Suharto,Writer,suharto@example.com,Yogyakarta,2018-03-27,63
        Ana,Müller-Souza,Engineer,ana.mueller@example.org,São Paulo,2024-02-14,
        Chiara,D'Angelo,Designer,chiara.dangelo@example.com,Palermo,2019-10-21,44
        지우,김,Engineer,jiwoo.kim@example.org,서울,2022-06-05,28
        Tomáš,Dvořák,Engineer,tomas.dvorak@example.com,Brno,2016-01-18,50
        आरती,शर्मा,Writer,aarti.sharma@example.org,जयपुर,2023-09-09,30
        William,Fairweather,Writer,,Bath,2015-07-01,71
        Chloé,Nguyen,Engineer,chloe.nguyen@example.com,Montréal,2020-08-11,32
        João,Conceição,Engineer,joao.conceicao@example.org,Porto,2021-12-20,45
        Ingrid,Halvorsen,Designer,ingrid.halvorsen@example.org,Tromsø,,35
        داریوش,کریمی,Engineer,dariush.karimi@example.com,شیراز,2018-11-13,49
        Aoife,Ní Dhomhnaill,Writer,aoife@example.org,Galway,2022-03-17,26
        Mehmet,Yıldız,Engineer,mehmet.yildiz@example.com,İzmir,2019-04-23,43
        Nikos,Papadópoulos,Engineer,nikos@example.org,Thessaloníki,2023-01-30,37
        Дарья,Соколова,Designer,daria.sokolova@example.com,Алматы,2020-05-25,31
        Samuel,Adeyemi-Clarke,Engineer,samuel.adeyemi@example.org,,2024-06-03,24
        Ελένη,Κωνσταντίνου,Writer,eleni@example.com,Αθήνα,2017-09-14,55
        Ryan,McAllister,Engineer,ryan.mcallister@example.com,Glasgow,2021-10-04,40
        محمد,الحسن,Engineer,mohammed.alhassan@example.org,عمّان,2022-08-22,34
        Olena,Kovalenko,Engineer,olena.kovalenko@example.org,Lviv,2023-11-27,29
        Hannah,Weiß,Designer,hannah.weiss@example.com,Zürich,2018-06-19,46
        Kwame,Asante,Writer,kwame.asante@example.org,Accra,2020-12-07,
        雪,林,Designer,xue.lin@example.com,台北,2024-01-15,26
        Žofia,Ďurišová,Engineer,zofia.durisova@example.org,Košice,2019-02-18,42
        Maya,Goldstein,Writer,maya.goldstein@example.com,Haifa,2021-07-26,53
        健太,高橋,Engineer,kenta.takahashi@example.com,大阪,2017-03-06,48
        Isabel,Núñez,Engineer,isabel.nunez@example.org,Bogotá,2022-11-29,33
        Étienne,L'Écuyer,Engineer,,Québec,2020-09-01,57
        Amara,Diallo,Designer,amara.diallo@example.org,Dakar,2023-03-13,28
        Peter,Ångström,Engineer,peter.angstrom@example.com,Uppsala,2016-08-15,61
        Leilani,Kealoha,Writer,leilani.kealoha@example.org,Honolulu,2019-11-11,38
        विवेक,पाटिल,Engineer,vivek.patil@example.com,पुणे,2021-02-01,35
        Iñaki,Etxeberria,Engineer,inaki@example.org,Donostia,2018-04-16,
        Sofía,Peña,Designer,sofia.pena@example.com,Valparaíso,2022-05-31,30
        Ștefan,Țepeș,Engineer,stefan.tepes@example.org,Brașov,2020-06-08,44
        דניאל,כהן,Writer,daniel.cohen@example.com,ירושלים,2023-12-18,59
        Yusuf,Demirtaş,Engineer,yusuf.demirtas@example.org,Berlin,2024-04-22,23
        Ruth,Abernathy,Engineer,ruth.abernathy@example.com,Boston,,66
        민서,박,Writer,minseo.park@example.com,부산,2021-06-14,32
        Quang,Trần,Engineer,quang.tran@example.org,Hà Nội,2019-08-05,36
        Gwenllian,Ap Rhys,Designer,gwenllian@example.org,Aberystwyth,2017-12-04,51
        Madhuri,Devi,Engineer,,,2022-09-26,27
        Jürgen,Groß,Engineer,juergen.gross@example.com,Köln,2015-10-19,64
        سارا,احمدی,Designer,sara.ahmadi@example.org,تهران,2023-05-15,33
        Beatrice,Mwangi,Writer,beatrice.mwangi@example.com,Nairobi,2018-07-30,45
        Oluwaseun,Bankole,Engineer,oluwaseun.bankole@example.org,Ibadan,2020-04-13,39
        Charlotte,Smith,Engineer,charlotte.smith@example.com,Wellington,2024-07-08,22
        """#
}
