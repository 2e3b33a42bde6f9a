"""Parts that sites put into any page: questions for consent, invitations, windows of chats, adverts, links that skip."""

from lxml import html as markup

# By kind: names of classes, titles, sentences, words of buttons.
KINDS = [
    (
        "gdpr privacy-bar notice cc-window consent-layer cookies tracking-info data-protection",
        ["Your privacy", "Cookies on this site", "Before you go on", "Datenschutz", "Vos choix", "Tu privacidad", "La tua privacy"],
        [
            "This site stores small files on your computer so that it works and so that we see what is read.",
            "Some of our partners process your data because of a legitimate interest, without asking for consent.",
            "You can change your choice at any time in the settings at the end of the page.",
            "With your agreement, we and 214 vendors may use precise location data and read identifiers of your device.",
            "Cookies help us deliver our services. By using our services, you agree to our use of cookies.",
            "Diese Seite verwendet Cookies, damit sie richtig funktioniert und wir sie verbessern können.",
            "Mit einem Klick auf „Alle akzeptieren“ stimmen Sie der Verarbeitung Ihrer Daten auch in den USA zu.",
            "Ce site utilise des traceurs pour mesurer son audience et vous proposer des contenus adaptés.",
            "Vous pouvez retirer votre accord à tout moment depuis le pied de page.",
            "Utilizamos cookies propias y de terceros para analizar el uso de la web y mostrarte publicidad.",
            "Questo sito usa cookie tecnici e, con il tuo consenso, di profilazione.",
            "Deze website gebruikt cookies om het gebruik te meten en advertenties te tonen.",
            "Ta strona używa plików cookie, aby działać poprawnie i mierzyć ruch.",
            "Strictly needed ones cannot be turned off. Measurement tells us which pages are read and how long.",
            "Learn who we are, how you can reach us and how we process personal data in our privacy statement.",
        ],
        ["I agree", "Reject", "Only what is needed", "Options", "Einverstanden", "Ablehnen", "Tout refuser", "Aceptar", "OK", "Save"],
    ),
    (
        "subscribe signup-box mail-form lead overlay popup optin-wrapper cta",
        ["Never miss a story", "Get updates by mail", "Stay in touch", "Unser Newsletter", "Restez informés", "Boletín"],
        [
            "Once a week we send you the best of what we wrote, and nothing else.",
            "Enter your address below and we let you know when something new is here.",
            "More than 40,000 readers get it already. Leave whenever you like.",
            "Register today and save on your next purchase.",
            "Tragen Sie sich ein und erhalten Sie jede Woche die neuesten Beiträge.",
            "Recevez chaque semaine le meilleur de nos articles dans votre boîte.",
            "Suscríbete y recibe las novedades en tu correo.",
            "We never share your address. See our terms.",
        ],
        ["Sign me up", "Subscribe now", "No, thanks", "Anmelden", "S'inscrire", "Later"],
    ),
    (
        "support-launcher messenger helpdesk live-help bubble assistant",
        ["Talk to us", "Questions?", "Support", "Wir helfen gern"],
        [
            "Hello, how can we help you today?",
            "We are not here right now. Write to us and we answer tomorrow.",
            "Ask our assistant about orders, deliveries and returns.",
            "Was this page helpful?",
        ],
        ["Start", "Write to us", "Close", "Yes", "No"],
    ),
    (
        "promo banner-top sponsored ad-box teaser-app partner-box announcement topbar",
        ["Advertisement", "Sponsored", "Anzeige", "From our partners", "Publicité"],
        [
            "Compare the offers of 30 banks and find out what you could save every month.",
            "Our app is faster than the web page: get it from your store, it costs nothing.",
            "Free delivery on all orders above 50 this week only.",
            "Members read everything, without adverts, from 3 a month.",
            "You have read two of five free articles this month.",
            "Doctors are amazed: this simple habit changes how you sleep.",
            "Jetzt vier Wochen kostenlos lesen und jederzeit kündigen.",
        ],
        ["Learn more", "Get the app", "Shop now", "Log in", "Mehr erfahren"],
    ),
    (
        "a11y-links jump visually-hidden browser-warning",
        [],
        [
            "Jump to the main part", "Jump to navigation", "Zum Inhalt springen", "Aller au contenu", "Saltar al contenido",
            "Your browser is out of date. Some things may not work on this page until you update it.",
            "Please turn on JavaScript to use all of this page.",
        ],
        [],
    ),
]


def insert_parts(root, chance):
    """Puts one or two parts at the start, at the end or anywhere in the body."""
    body = root.find("body")
    if body is None:
        return
    for number in range(1 if chance("parts") < 0.6 else 2):
        draw = lambda name: chance(f"part {number} {name}")
        part = markup.fragment_fromstring(part_html(draw))
        places = [each for each in body.iter("p", "li", "div", "section") if each.getparent().tag not in ("p", "pre")]
        where = draw("where")
        if where < 0.4 or not places:
            body.insert(0, part)
        elif where < 0.75:
            body.append(part)
        else:
            place = pick(places, draw("place"))
            part.tail, place.tail = place.tail, None
            place.addnext(part)


def part_html(draw):
    # Questions for consent are as frequent as the others together.
    names, titles, sentences, buttons = pick(KINDS[:1] * 4 + KINDS[1:], draw("kind"))
    names = names.split()
    name = lambda which: f"{pick(names, draw(which))}{pick(['', '-inner', '__body', '-text', '_wrap'], draw(which + ' end'))}"
    start = int(draw("first") * len(sentences))
    count = 1 + int(draw("count") ** 2 * 5)
    chosen = [sentences[(start + step * 3) % len(sentences)] for step in range(min(count, len(sentences)))]
    tag = pick(["p", "div", "span", "li"], draw("sentence"))
    content = "".join(f"<{tag}>{sentence}</{tag}>" for sentence in chosen) if draw("joined") < 0.6 else f"<p>{' '.join(chosen)}</p>"
    if tag == "li":
        content = f"<ul>{content}</ul>"
    if titles and draw("titled") < 0.6:
        heading = pick(["h2", "h3", "h4", "strong", "div"], draw("heading"))
        content = f"<{heading}>{pick(titles, draw('title'))}</{heading}>{content}"
    button = pick(["button", "a href='#'"], draw("button"))
    for press in range(int(draw("buttons") * 4) if buttons else 0):
        content += f"<{button}>{pick(buttons, draw(f'press {press}'))}</{button.split()[0]}>"
    for depth in range(int(draw("depth") * 4)):
        content = f"<div class='{name(f'name {depth}')}'>{content}</div>"
    outer = pick(["div", "div", "section", "aside", "form", "dialog"], draw("outer"))
    role = pick([" role='dialog'", " role='alertdialog'", " role='region'", "", "", ""], draw("role"))
    return f"<{outer} id='{name('id')}' class='{name('outer name')}'{role}>{content}</{outer}>"


def pick(choices, draw):
    return choices[int(draw * len(choices))]
