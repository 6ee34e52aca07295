import SusiTestSupport

/// The rules of WCAG 2.2 for pages of forms and text, for users who cannot see, have no mouse or enlarge the page. The
/// names are those of accessibility checkers.
enum Accessibility {
    /// A script that returns the violations as texts `rule: what`; empty if there are none.
    static let script = helpers + document + forms + looks + keyboard + "return wrong;"

    /// A script that checks whether everything fits into the window without horizontal scrolling (WCAG 2.2, 1.4.4 and
    /// 1.4.10).
    static let reflow =
        helpers + #"""
            check(document.documentElement.scrollWidth <= innerWidth, 'reflow',
                `${document.documentElement.scrollWidth} of ${innerWidth} pixels wide`);
            for (const element of seen('body *')) {
              if (element.closest('.aside-name, pre')) continue;
              const box = element.getBoundingClientRect();
              check(box.right <= innerWidth + 1 && box.left >= -1, 'reflow', name(element) + ' stands out sideways');
            }
            return wrong;
            """#

    private static let helpers = #"""
        const wrong = [];
        const all = css => [...document.querySelectorAll(css)];
        const seen = css => all(css).filter(element => element.checkVisibility({visibilityProperty: true}));
        const check = (good, rule, text) => { if (!good) wrong.push(`${rule}: ${text}`); };
        const name = element => `<${element.localName}${element.id ? ' #' + element.id : ''}${element.className ? ' .' + element.className : ''}>`;
        const words = element => (element.getAttribute('aria-label') ?? (element.innerText || element.value) ?? '').trim();
        const numbers = color => (color.match(/[\d.]+/g) ?? []).map(Number);
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
        const contrast = (one, other) => {
          const pair = [light(one), light(other)].sort((a, b) => b - a);
          return (pair[0] + .05) / (pair[1] + .05);
        };

        """#

    /// Language, title, headings, landmarks, references.
    private static let document = #"""
        const root = document.documentElement;
        const canonical = tag => { try { return Intl.getCanonicalLocales(tag).length === 1; } catch { return false; } };
        check(root.lang && canonical(root.lang), 'html-has-lang', `“${root.lang}” is no language`);
        check(document.title.trim(), 'document-title', 'the page has no title');
        check(seen('h1').length === 1, 'page-has-heading-one', `${seen('h1').length} main headings`);
        seen('h1, h2, h3, h4, h5, h6').reduce((before, heading) => {
          const level = Number(heading.localName[1]);
          check(level <= before + 1, 'heading-order', `${name(heading)} after level ${before}`);
          check(words(heading), 'empty-heading', name(heading));
          return level;
        }, 0);
        check(seen('main').length === 1, 'landmark-one-main', `${seen('main').length} main parts`);
        check(all('body > header').length <= 1, 'landmark-no-duplicate-banner', 'more than one');
        const landmarks = 'main, header, footer, nav, aside, [role=note], [role=search]';
        for (const element of seen('body *')) {
          const own = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
          check(!own || element.closest(landmarks), 'region', name(element) + ' is outside every landmark');
        }
        const ids = all('[id]').map(element => element.id);
        check(new Set(ids).size === ids.length, 'duplicate-id', ids.filter((id, index) => ids.indexOf(id) !== index).join());
        for (const attribute of ['aria-describedby', 'aria-labelledby', 'aria-controls'])
          for (const element of all(`[${attribute}]`))
            for (const id of element.getAttribute(attribute).split(' '))
              check(document.getElementById(id), 'aria-valid-attr-value', `${name(element)} refers to ${id}`);
        for (const item of all('li')) check(item.parentElement.matches('ul, ol'), 'listitem', name(item));
        for (const list of all('ul, ol, dl'))
          check([...list.children].every(child => child.matches(list.localName === 'dl' ? 'dt, dd, div' : 'li')), 'list', name(list));
        for (const header of all('th')) check(header.scope, 'scope-attr-valid', name(header));
        for (const image of all('img')) check(image.hasAttribute('alt'), 'image-alt', name(image));
        // A drawing is read out under its name, or not at all.
        for (const drawing of all('svg'))
          check(drawing.ariaHidden === 'true' || drawing.getAttribute('role') === 'img' && drawing.ariaLabel, 'svg-img-alt', drawing.outerHTML);
        // What a service says in its own language, on a page in another one.
        for (const part of seen('[role=alert]'))
          if (/^AADB2C|^AADSTS/.test(words(part)))
            check(part.closest('[lang]')?.lang === 'en', 'valid-lang', name(part));
        const viewport = document.querySelector('meta[name=viewport]')?.content ?? '';
        check(/width=device-width/.test(viewport), 'meta-viewport', 'none for phones');
        check(!/user-scalable\s*=\s*no|maximum-scale\s*=\s*[0-4](\D|$)/.test(viewport), 'meta-viewport', 'it forbids zooming');

        """#

    /// Labels, errors, autofill.
    private static let forms = #"""
        const purposes = {email: ['email', 'username'], password: ['current-password', 'new-password'], tel: ['tel']};
        const tokens = 'off on name given-name family-name nickname username new-password current-password one-time-code email tel '
          + 'organization organization-title street-address address-line1 address-line2 address-level1 address-level2 country '
          + 'country-name postal-code language bday sex url';
        for (const field of seen('input:not([type=submit]), select, textarea')) {
          const label = [...field.labels].map(label => label.innerText.trim()).join();
          check(label, 'label', `${name(field)} has none`);
          const purpose = field.getAttribute('autocomplete') ?? '';
          check(tokens.split(' ').includes(purpose), 'autocomplete-valid', `${name(field)} has “${purpose}”`);
          check(purposes[field.type]?.includes(purpose) ?? true, 'autocomplete-purpose', `${name(field)} has “${purpose}”`);
        }
        // Password managers read the name from a field before the password, which may be hidden (Chromium, “Create amazing
        // password forms”).
        for (const form of all('form')) {
          const kinds = [...form.elements].map(field => field.type);
          const [named, secret] = [kinds.findIndex(kind => /^(text|email|tel)$/.test(kind)), kinds.indexOf('password')];
          check(secret < 0 || named >= 0 && named < secret, 'password-username', name(form));
        }
        const described = field => (field.getAttribute('aria-describedby') ?? '').split(' ')
          .map(id => document.getElementById(id)).filter(Boolean);
        const invalid = seen('[aria-invalid=true]');
        for (const field of invalid)
          check(described(field).some(element => element.matches('.itemLevel, .alert')), 'error-described', name(field));
        for (const error of seen('.itemLevel')) {
          check(error.matches('[role=alert]'), 'error-announced', name(error));
          check(invalid.some(field => described(field).includes(error)), 'error-invalid', name(error) + ' belongs to no field');
        }
        if (invalid.length > 0)
          check(document.activeElement === invalid[0], 'error-focus', `the keyboard is at ${name(document.activeElement)}`);
        for (const alert of seen('form > .alert'))
          check(described(document.activeElement).includes(alert), 'error-focus', 'the keyboard is where nothing tells the error');

        """#

    /// Contrast, sizes, movement.
    private static let looks = #"""
        for (const element of seen('body *')) {
          const own = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
          if (!own && !element.matches('input, select')) continue;
          const style = getComputedStyle(element);
          const [size, weight] = [parseFloat(style.fontSize), Number(style.fontWeight)];
          const least = size >= 24 || (size >= 18.66 && weight >= 700) ? 3 : 4.5;
          const found = contrast(style.color, ground(element));
          check(found >= least, 'color-contrast', `${found.toFixed(1)} of ${name(element)}`);
        }
        for (const field of seen('input, select')) {
          const found = contrast(getComputedStyle(field).borderTopColor, ground(field.parentElement));
          check(['checkbox', 'submit'].includes(field.type) || found >= 3, 'non-text-contrast', `${found.toFixed(1)} around ${name(field)}`);
        }
        const inline = link => [...link.parentElement.childNodes].some(node => node.nodeType === 3 && node.data.trim());
        // The smaller of the box as it is and with one narrow letter in it, so that neither the language nor the machine's
        // fonts decide (WCAG 2.2, 2.5.8).
        const measured = control => {
          const own = control.getBoundingClientRect();
          if (!control.matches('a, button, summary')) return own;
          const content = [...control.childNodes];
          control.replaceChildren('i');
          const box = control.getBoundingClientRect();
          control.replaceChildren(...content);
          return { width: Math.min(own.width, box.width), height: Math.min(own.height, box.height) };
        };
        for (const control of seen('a, button, input, select, summary')) {
          const box = measured(control);
          const least = control.matches('button, input, select') ? 44 : 24;
          if (control.matches('a') && inline(control)) continue;
          check(box.height >= least - .5 && box.width >= 24, 'target-size', `${name(control)} is ${box.width}×${box.height}`);
        }
        check(document.getAnimations().length === 0, 'reduced-motion', 'something moves');

        """#

    /// Names, focus, order.
    private static let keyboard = #"""
        for (const control of seen('button, summary, input[type=submit]')) check(words(control), 'button-name', name(control));
        for (const link of seen('a')) check(words(link) && link.href, 'link-name', name(link));
        for (const element of all('[tabindex]')) check(element.tabIndex <= 0, 'tabindex', name(element));
        const stops = seen('a[href], button, input, select, summary, [tabindex]');
        stops.reduce((before, stop) => {
          const box = stop.getBoundingClientRect();
          if (before) {
            const old = before.getBoundingClientRect();
            const follows = box.top >= old.bottom - 1 || box.left >= old.right - 1 || box.bottom > old.bottom;
            check(follows, 'focus-order', `${name(stop)} comes after ${name(before)} but stands before it`);
          }
          return stop;
        }, null);
        const focused = document.activeElement;
        const place = [scrollX, scrollY];
        for (const stop of stops) {
          stop.focus({focusVisible: true, preventScroll: true});
          const style = getComputedStyle(stop);
          check(style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2, 'focus-visible', name(stop));
          const found = contrast(style.outlineColor, ground(stop.parentElement));
          check(found >= 3, 'focus-visible', `contrast ${found.toFixed(1)} around ${name(stop)}`);
        }
        focused.focus?.({preventScroll: true});
        if (focused === document.body) document.activeElement.blur();
        scrollTo(...place);

        """#
}
