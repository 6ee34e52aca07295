import SusiTestSupport
import Testing

extension Browser {
    /// Looks at the open page as a careful reader would, in light and in dark, keeps a picture of each, and expects
    /// that nothing is wrong with it: see `script` for what counts.
    func inspect(_ name: String, status: Int = 200) async throws {
        #expect(try await self.status == status, "\(name)")
        let complaints = try await takeLog().filter { line in
            // The console repeats the status of a page that is an error by design.
            !(status >= 400 && line.source == "network" && line.message.contains("status of \(status)"))
        }
        #expect(complaints.isEmpty, "\(name)")
        for scheme in [Chromium.ColorScheme.light, .dark] {
            try await prefer(scheme)
            let wrong = try await execute(Self.script).elements.map(\.string)
            #expect(wrong.isEmpty, "\(name), \(scheme)")
            try await screenshot("\(name)-\(scheme)")
        }
        try await prefer(.light)
        for id in try await execute(Self.fields).elements.map(\.string) {
            let label = try await execute(
                "return document.getElementById(arguments[0]).labels[0].innerText", [.string(id)])
            #expect(try await accessibleName(ofID: id) == label.string, "\(name): \(id)")
        }
    }

    private static let fields = """
        return [...document.querySelectorAll('input, select, textarea')].filter(field => field.checkVisibility())
          .map(field => field.id)
        """

    /// What is wrong with the page, as a list of texts.
    private static let script = """
        const wrong = [];
        const all = css => [...document.querySelectorAll(css)];
        const seen = css => all(css).filter(element => element.checkVisibility());
        const check = (good, text) => { if (!good) wrong.push(text); };
        check(document.documentElement.lang, 'the page has no language');
        check(document.title, 'the page has no title');
        check(all('h1').length === 1, 'not exactly one main heading');
        check(all('main').length === 1, 'not exactly one main part');
        check(all('meta[name=viewport]').length === 1, 'no viewport for phones');
        check(all('script').length === 0, 'a script');
        check(performance.getEntriesByType('resource').length === 0, 'something was loaded beside the page');
        check(document.documentElement.scrollWidth <= innerWidth,
            `scrolls sideways: ${document.documentElement.scrollWidth} of ${innerWidth}`);
        const ids = all('[id]').map(element => element.id);
        check(new Set(ids).size === ids.length, 'an id stands twice');
        for (const field of seen('input, select, textarea')) {
          const label = [...field.labels].map(label => label.innerText.trim()).join();
          check(label, `${field.id} has no label`);
          check(field.getAttribute('autocomplete'), `${field.id} has no autocomplete`);
          for (const id of (field.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean))
            check(document.getElementById(id), `${field.id} is described by ${id}, which is not there`);
        }
        for (const control of seen('input, button')) {
          check(control.getBoundingClientRect().height >= 44, `${control.id} is small for a finger`);
          check(control.labels?.length || control.innerText.trim(), `${control.id} has no name`);
        }
        const numbers = color => (color.match(/[\\d.]+/g) ?? []).map(Number);
        const light = color => numbers(color).slice(0, 3).map(value => value / 255)
          .map(value => value <= .04045 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4)
          .reduce((sum, value, index) => sum + value * [.2126, .7152, .0722][index], 0);
        const ground = element => {
          for (let one = element; one; one = one.parentElement) {
            const color = getComputedStyle(one).backgroundColor;
            if (numbers(color)[3] !== 0) return color;
          }
          return 'rgb(255, 255, 255)';
        };
        for (const element of seen('body *')) {
          const own = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
          if (!own && element.tagName !== 'INPUT') continue;
          const pair = [light(getComputedStyle(element).color), light(ground(element))].sort((a, b) => b - a);
          const contrast = (pair[0] + .05) / (pair[1] + .05);
          check(contrast >= 4.5, `contrast ${contrast.toFixed(1)} of <${element.tagName} ${element.className}>`);
        }
        return wrong;
        """
}
