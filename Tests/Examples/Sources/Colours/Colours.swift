import Roster

struct Paint: Identifiable {
    let id: String
    let hex: String
}

@main struct Colours: ListApp {
    var lists: some Lists {
        List("colours") {
            Section("Blue", [Paint(id: "Navy", hex: "#000080")]) { paint }
            Section("Red", [Paint(id: "Crimson", hex: "#DC143C")]) { paint }.footer("Warm.")
            Section("Green", [Paint(id: "Jade", hex: "#00A86B")]) { paint }
        }
    }

    @ColumnBuilder<Paint> var paint: some Columns<Paint> {
        Column("name", \.id)
        Column(\.hex)
    }
}
