//! What single words tell: function words of running text, and the vocabulary of what surrounds it, in several languages.
//!
//! Words are looked up by hash. Entries of two words are looked up with the word before; in Chinese and Japanese, where
//! words are not set apart, any two neighbouring characters are an entry.

use std::sync::OnceLock;

/// What a word belongs to: bits of [`Lexicon::classes`].
pub(super) const CLASS_NAMES: [&str; 12] = [
    "legal",
    "account",
    "sharing",
    "comment",
    "related",
    "navigation",
    "shop",
    "byline",
    "advert",
    "forum",
    "contact",
    "taxonomy",
];

/// Number of classes.
pub(super) const CLASSES: usize = CLASS_NAMES.len();

/// Bit of function words, beside those of the classes.
pub(super) const FUNCTION_WORD: u16 = 1 << CLASSES;

const FUNCTION_WORDS: &str = "the a an and or of to in is are was for on with that this it as at by be from you your we our i \
    he she they not have has can will but if which their more been would there were \
    der die das und oder von zu in ist sind war für auf mit dass dies es als bei ein eine einen einem einer nicht haben hat kann \
    wird auch sich aus nach wie dem den des im am wir sie ich aber \
    le la les un une des et ou de du à est sont pour sur avec que qui ce cette il elle ne pas par dans plus au aux nous vous \
    el los las una y o del al es son para con por se su no lo como más pero fue han está entre \
    il lo gli e di da che non per con del della dei si è sono anche come alla nel \
    o os um uma em não com por mais foi ao dos das ser \
    het een en van is zijn op te dat niet met voor aan ook er maar om bij \
    i w na z do się nie jest to że od po dla jak oraz za przez ale \
    и в не на что с по это как но он она из за от для так же бы \
    og det som på av er til har ikke den ett att och är för med inte ja on ei se että oli mutta \
    és az egy hogy nem van volt ve bir bu için ile da de \
    và của là có cho không được trong một với các người này đã những \
    的 了 是 在 和 也 就 都 不 有 我 他 这 中 の は を に が と で も た";

const CLASS_WORDS: [&str; CLASSES] = [
    // legal
    "cookie,cookies,privacy,copyright,gdpr,disclaimer,imprint,trademark,trademarks,rights reserved,terms of,of use,of service,\
     privacy policy,impressum,datenschutz,datenschutzerklärung,agb,nutzungsbedingungen,mentions légales,confidentialité,\
     aviso legal,privacidad,política,privacidade,informativa,riservati,derechos reservados,polityka prywatności,prawa \
     zastrzeżone,regulamin,конфиденциальности,права защищены,bản quyền,版权,隐私,條款,条款,著作,プラ,consent,accept all,\
     all rights,alle rechte,tous droits,cookie-einstellungen,tietosuoja,adatvédelem,voorwaarden,integritetspolicy",
    // account
    "login,logout,register,signup,newsletter,subscribe,subscribed,unsubscribe,password,username,sign in,sign up,log in,my account,\
     sign out,anmelden,registrieren,abonnieren,konto,abo,einloggen,connexion,inscription,abonnez,s'inscrire,compte,iniciar sesión,\
     suscríbete,registrarse,suscribirse,boletín,accedi,iscriviti,registrati,entrar,cadastre,assine,inloggen,aanmelden,\
     zaloguj,zarejestruj,subskrybuj,войти,регистрация,подписаться,đăng nhập,đăng ký,登录,注册,订阅,ログ,会員,e-mail-adresse,\
     your email,email address,join now,get started,free trial,create account",
    // sharing
    "share,shares,tweet,facebook,twitter,linkedin,pinterest,whatsapp,instagram,youtube,telegram,reddit,tiktok,follow us,follow,\
     teilen,folgen,partager,suivez,compartir,síguenos,condividi,seguici,compartilhar,delen,udostępnij,поделиться,chia sẻ,分享,\
     share this,print,drucken,imprimer,imprimir,copy link,rss,xing,del.icio.us,digg,stumbleupon,google+,flipboard,dela,jaa",
    // comment
    "comment,comments,commented,commenting,reply,replies,respond,kommentar,kommentare,kommentieren,leserkommentare,antworten,\
     commentaire,commentaires,répondre,comentario,comentarios,responder,commento,commenti,rispondi,comentário,comentários,reactie,\
     reacties,komentarz,komentarze,odpowiedz,комментарии,ответить,bình luận,评论,回复,コメ,leave a,post a,add a,moderated,moderation,\
     your comment,disqus,kommentarer,hozzászólás,kommentit,trackback,trackbacks,pingback,permalink,says",
    // related
    "related,recommended,recommendations,trending,popular,similar,you may,may also,also like,more from,more in,most read,up next,\
     read next,editor's picks,latest,featured,ähnliche,verwandte,empfehlungen,meistgelesen,weitere,mehr zum,auch interessant,\
     mehr aus,à lire,lire aussi,articles similaires,sur le,relacionados,relacionadas,te puede,más leídas,lea también,correlati,\
     potrebbe,leggi anche,leia também,veja também,gerelateerd,lees ook,zobacz także,polecane,czytaj,podobne,читайте также,похожие,\
     liên quan,xem thêm,相关,推荐,热门,関連,おす,don't miss,see also,recent posts,other articles,läs också,lue myös",
    // navigation
    "home,menu,next,previous,prev,back,search,skip,sitemap,archives,archive,top,more,view all,see all,show all,read more,learn more,\
     load more,show more,click here,continue reading,skip to,back to,go to,startseite,suche,weiter,zurück,weiterlesen,mehr,übersicht,\
     inhalt,accueil,rechercher,suivant,précédent,lire la,la suite,retour,inicio,buscar,siguiente,anterior,leer más,volver,cerca,\
     successivo,precedente,leggi tutto,continua,início,próximo,zoeken,volgende,vorige,terug,lees meer,szukaj,strona główna,\
     następny,poprzedni,więcej,главная,поиск,далее,назад,trang chủ,tìm kiếm,首页,搜索,上一,下一,更多,close,toggle,schließen,fermer,\
     newer,older,page,seite",
    // shop
    "cart,basket,checkout,buy,price,prices,shipping,stock,sku,wishlist,add to,to cart,quantity,qty,sale,discount,coupon,in stock,\
     out of,sold out,warenkorb,kaufen,preis,versand,lieferzeit,merkzettel,mwst,panier,acheter,prix,livraison,ajouter,carrito,\
     comprar,precio,envío,carrello,acquista,prezzo,spedizione,carrinho,preço,frete,winkelwagen,bestellen,prijs,koszyk,kup,cena,\
     dostawa,корзина,купить,цена,giỏ hàng,mua,giá,购物,价格,加入,カー,価格,delivery,returns,refund,reviews,rating,msrp,off",
    // byline
    "by,posted,published,updated,author,written,ago,min read,minutes ago,hours ago,days ago,read time,staff,editor,january,february,\
     march,april,may,june,july,august,september,october,november,december,jan,feb,mar,apr,jun,jul,aug,sep,sept,oct,nov,dec,\
     von,veröffentlicht,aktualisiert,autor,uhr,januar,februar,märz,mai,juni,juli,oktober,dezember,vor,par,publié,auteur,janvier,\
     février,mars,avril,juin,juillet,août,septembre,octobre,novembre,décembre,publicado,por,enero,febrero,marzo,abril,mayo,junio,\
     julio,agosto,septiembre,octubre,noviembre,diciembre,pubblicato,di,gennaio,febbraio,aprile,maggio,giugno,luglio,settembre,\
     ottobre,novembre,dicembre,janeiro,fevereiro,março,maio,junho,julho,setembro,outubro,dezembro,geplaatst,door,opublikowano,\
     dodano,stycznia,lutego,marca,kwietnia,maja,czerwca,lipca,sierpnia,września,października,listopada,grudnia,\
     опубликовано,автор,tác giả,作者,发布,来源,編集,am,pm,photo,foto,credit,getty,reuters",
    // advert
    "advertisement,advertising,advertise,sponsored,ad,ads,promoted,affiliate,anzeige,werbung,gesponsert,publicité,publicidad,\
     pubblicità,publicidade,advertentie,reklama,реклама,quảng cáo,广告,広告,annons,hirdetés,mainos,commissions,paid content",
    // forum
    "posts,joined,member,members,reputation,thread,threads,topic,topics,views,quote,quoted,moderator,offline,online,likes,upvote,\
     downvote,votes,answered,asked,solved,beiträge,mitglied,thema,zitat,registriert,messages,membre,sujet,mensajes,miembro,tema,\
     messaggi,utente,membro,berichten,lid,posty,temat,сообщений,сообщения,тема,участник,楼主,发表,帖子,wrote,forum,forums,guest,\
     report,edited,last edited,karma,badges,newbie,veteran,location",
    // contact
    "contact,phone,fax,tel,email,e-mail,address,telephone,contact us,about us,kontakt,telefon,adresse,über uns,contactez,téléphone,\
     contacto,teléfono,dirección,contatti,telefono,indirizzo,contato,telefone,endereço,adres,контакты,телефон,liên hệ,联系,\
     careers,faq,help,support,press,investors,jobs,opening hours,öffnungszeiten,customer service,locations,store",
    // taxonomy
    "tags,tag,tagged,categories,category,filed under,filed,keywords,labels,topics,sections,schlagwörter,kategorie,kategorien,\
     themen,rubrik,étiquettes,catégories,catégorie,etiquetas,categorías,categoría,etichette,categorie,trefwoorden,tagi,kategorie,\
     метки,рубрики,thẻ,chuyên mục,标签,分类,タグ,カテ,filter,filters,sort by,sortieren,trier,ordenar,results,ergebnisse",
];

/// Hash of a word that is fed character by character, in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WordHash(pub u32);

impl WordHash {
    /// Of no characters.
    pub(super) const EMPTY: Self = Self(0x811c_9dc5);

    /// Adds a character, which the caller has put in lower case.
    #[inline]
    pub(super) fn push(&mut self, c: char) {
        self.0 = (self.0 ^ c as u32).wrapping_mul(0x0100_0193);
    }

    /// The hash of this word followed by another.
    #[inline]
    pub(super) fn then(self, next: Self) -> Self {
        Self((self.0.rotate_left(7) ^ next.0).wrapping_mul(0x9e37_79b1))
    }

    fn of(word: &str) -> Self {
        let mut hash = Self::EMPTY;
        word.chars().flat_map(char::to_lowercase).for_each(|c| hash.push(c));
        hash
    }
}

const SLOTS: usize = 8192;

/// The table of all entries: open addressing over word hashes.
pub(super) struct Lexicon {
    slots: Vec<(u32, u16)>,
}

impl Lexicon {
    /// The one lexicon, built on first use.
    pub(super) fn get() -> &'static Self {
        static LEXICON: OnceLock<Lexicon> = OnceLock::new();
        LEXICON.get_or_init(Self::build)
    }

    fn build() -> Self {
        let mut lexicon = Self { slots: vec![(0, 0); SLOTS] };
        for word in FUNCTION_WORDS.split_whitespace() {
            lexicon.add(WordHash::of(word), FUNCTION_WORD);
        }
        for (class, entries) in CLASS_WORDS.iter().enumerate() {
            for entry in entries.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
                lexicon.add(entry_hash(entry), 1 << class);
            }
        }
        lexicon
    }

    fn add(&mut self, hash: WordHash, bits: u16) {
        let slot = self.slot(hash);
        self.slots[slot].0 = hash.0;
        self.slots[slot].1 |= bits;
    }

    /// The slot that holds the hash, or the free one where it belongs.
    #[inline]
    fn slot(&self, hash: WordHash) -> usize {
        let mut slot = (hash.0.wrapping_mul(0x9e37_79b1) >> 19) as usize % SLOTS;
        while self.slots[slot].1 != 0 && self.slots[slot].0 != hash.0 {
            slot = (slot + 1) % SLOTS;
        }
        slot
    }

    /// The classes of a word: bit `i` for [`CLASS_NAMES`]`[i]`, and [`FUNCTION_WORD`].
    #[inline]
    pub(super) fn classes(&self, hash: WordHash) -> u16 {
        self.slots[self.slot(hash)].1
    }
}

/// One word, two words, or two characters of a script without blanks.
fn entry_hash(entry: &str) -> WordHash {
    if let Some((first, second)) = entry.split_once(' ') {
        return WordHash::of(first).then(WordHash::of(second));
    }
    let mut chars = entry.chars();
    match (chars.next(), chars.next(), chars.next()) {
        (Some(a), Some(b), None) if super::text::is_unspaced(a) && super::text::is_unspaced(b) => {
            WordHash::of(&a.to_string()).then(WordHash::of(&b.to_string()))
        }
        _ => WordHash::of(entry),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_pairs_and_characters_are_found() {
        let lexicon = Lexicon::get();
        assert_eq!(lexicon.classes(WordHash::of("Datenschutz")), 1);
        assert_eq!(lexicon.classes(WordHash::of("read").then(WordHash::of("more"))), 1 << 5);
        assert_eq!(lexicon.classes(WordHash::of("评").then(WordHash::of("论"))), 1 << 3);
        assert_eq!(lexicon.classes(WordHash::of("elephant")), 0);
        assert!(lexicon.classes(WordHash::of("und")) & FUNCTION_WORD != 0);
    }

    #[test]
    fn the_table_is_less_than_half_full() {
        assert!(Lexicon::get().slots.iter().filter(|slot| slot.1 != 0).count() < SLOTS / 2);
    }
}
