"""Running text through the chain and back: languages of many scripts, every kind of mark inside and between words."""

from __future__ import annotations

import unicodedata
from random import Random

import pytest

from rarewords.corpus.importing import count_words
from rarewords.segmentation.registry import create
from rarewords.text.chain import Chain, Preprocessing
from rarewords.text.moses import detokenise, normalise_punctuation, tokenise
from rarewords.text.truecasing import train_truecaser

# Sentences with what is special in a language; the words of the composed lines come from them.
TEXT = {
    "en": ["It's the 1990's; don't!", "The dogs' house isn't 5% (or is it?).", "Well-known U.S. films cost $5."],
    "de": ["Geht's dem Haus gut?", "Straßen, z.B. am 3. Oktober, sind 5% länger.", "Übermäßig große Äpfel, süß!"],
    "fr": ["C'est l'heure d'été, n'est-ce pas ?", "Le cœur à Noël coûte 5,50 € ici.", "Qu'elle dit !"],
    "it": ["L'altro ieri ero un po' stanco.", "Perché no? Dell'acqua, c'è.", "Un po' di più, dai."],
    "es": ["¿Qué tal, señor?", "¡Hola! Mañana será 5% mejor.", "El niño comió (todo) a las 10:30."],
    "nl": ["De foto's zijn mooi.", "Het café is open tot 22:00 uur.", "Zij zegt ja, graag."],
    "pl": ["Żółć, źdźbło i święto.", "Czy to łódź?", "Zażółć gęślą jaźń!"],
    "tr": ["İstanbul'da ılık bir gün.", "Işık var mı?", "Türkiye'nin 5. ili."],
    "vi": ["Tiếng Việt rất hay.", "Bạn có khỏe không?", "Đường này dài 5 km."],
    "yo": ["Ẹ̀kọ́ ṣe pàtàkì gan-an.", "Ṣé dáadáa ni o wà?", "Ọjọ́ dára, ó sì tutù."],
    "ru": ["Михаи́л чита́ет кни́гу.", "Объём — 5%, правда?", "Съешь ещё этих булок, т.е. хлеба!"],
    "uk": ["Об'єкт із п'яти з'їздів.", "Їжак, ґава й єнот?", "Так, м'яч тут!"],
    "el": ["Καλημέρα, τι κάνεις;", "Ναι· όχι σήμερα.", "Ο Οδυσσέας γύρισε."],
    "ka": ["გამარჯობა, როგორ ხარ?", "საქართველო ლამაზია.", "კარგად, მადლობა!"],
    "hy": ["Բարև, ինչպե՞ս ես։", "Այո՛, լավ եմ։", "Հայաստանը գեղեցիկ է։"],
    "he": ["שָׁלוֹם, מה שלומך?", "צה״ל וג׳ורג׳ באים.", "בית־ספר גדול."],
    "ar": ["مرحبًا، كيف حالُكَ؟", "الكتابُ جديدٌ؛ نعم!", "السعر 5% أكثر."],
    "fa": ["می‌خواهم کتاب‌ها را بخوانم.", "حالت چطور است؟", "خانه‌ای بزرگ، زیبا."],
    "ur": ["یہ کتاب اچھی ہے۔", "آپ کیسے ہیں؟", "جی ہاں، ٹھیک ہے۔"],
    "hi": ["हिन्दी में क्या लिखा है?", "यह क्षत्रिय का घर है।", "र्‍य और ज्ञान, ऋषि।"],
    "bn": ["আমি বাংলায় কথা বলি।", "তুমি কেমন আছো?", "ভালো, ধন্যবাদ!"],
    "ta": ["தமிழ் மொழி அழகானது.", "எப்படி இருக்கிறீர்கள்?", "நன்றி, வணக்கம்!"],
    "te": ["తెలుగు భాష అందమైనది.", "మీరు ఎలా ఉన్నారు?", "బాగున్నాను, ధన్యవాదాలు!"],
    "si": ["ශ්‍රී ලංකාව ලස්සනයි.", "ඔබට කොහොමද?", "හොඳයි, ස්තූතියි!"],
    "th": ["สวัสดีครับ คุณสบายดีไหม", "ภาษาไทย น่ารัก!", "ฉันกินข้าวแล้ว ๆ"],
    "km": ["ខ្ញុំរៀនភាសាខ្មែរ។", "តើអ្នកសុខសប្បាយទេ?", "បាទ ខ្ញុំសុខសប្បាយ។"],
    "my": ["မြန်မာဘာသာ စကား။", "နေကောင်းလား?", "ကျေးဇူးတင်ပါတယ်။"],
    "bo": ["བོད་སྐད་ཡག་པོ་འདུག", "ཁྱེད་རང་སྐུ་གཟུགས་བདེ་པོ་ཡིན་པས།"],
    "am": ["ሰላም፣ እንዴት ነህ፧", "አማርኛ ቋንቋ ነው።", "ደህና ነኝ፤ አመሰግናለሁ።"],
    "ko": ["한국어는 재미있어요.", "어떻게 지내세요?", "네, 좋아요!"],
    "zh": ["你好吗?", "我喜欢中文.", "今天很好!"],
    "ja": ["こんにちは。", "お元気ですか?", "はい、元気です!"],
}  # fmt: skip

# Around any words.
PATTERNS = [
    "{0} {1} {2}.",
    "{0}, {1} {2}!",
    '"{0} {1}" {2}.',
    "{0} ({1} {2}).",
    '{0} {1}: "{2}".',
    "[{0}] {1}; {2}?",
    "{0} 10:30 {1} 5,300.50 {2}",
    "{0}/{1} {2}...",
    "{0} 12% {1} #{2}",
    "{0} https://example.org/a?b=1&c=2#d {1} {2}",
    "{0} name@example.org {1} {2}",
    "{0} 👩‍👩‍👧 {1} 🏴󠁧󠁢󠁳󠁣󠁴󠁿 {2} 👍🏽 ☝️ 1️⃣ 🇩🇪",
    "{0} snake_case {1} C++ {2}",
    "{0} - {1} {2} AT&T.",
]


def back(line: str, language: str) -> str:
    return detokenise(tokenise(line, language), language)


@pytest.mark.parametrize("language", TEXT)
def test_sentences_come_back(language: str) -> None:
    assert [back(line, language) for line in TEXT[language]] == TEXT[language]
    normal = [line for line in TEXT[language] if normalise_punctuation(line, language) == line]
    counts = count_words([tokenise(line, language) for line in TEXT[language]])
    (segmenter,) = create("bpe", {"merges": 5}, [counts], [language])
    chain = Chain(Preprocessing(language), train_truecaser(map(str, counts)), segmenter)
    assert [chain.text(chain.restore(chain.units(chain.words(line)))) for line in normal] == normal


@pytest.mark.parametrize("language", TEXT)
def test_a_thousand_composed_lines_come_back(language: str) -> None:
    random = Random(language)
    words = [word for line in TEXT[language] for word in line.strip("¿¡").split(" ")]
    words = [bare for word in words if (bare := word.strip("¿¡()[].,;:!?%$€—·।။།።፣፤፧؟،؛۔՞։。、\"'"))]
    words = [word for word in words if "'" not in word or language in ("en", "tr", "uk")]
    lines = [random.choice(PATTERNS).format(*random.choices(words, k=3)) for _ in range(1000)]
    if language == "fr":  # French puts a space before these marks
        lines = [line for line in lines if not any(mark in line for mark in ("!", "?", ":", ";", "%"))]
    if language in ("zh", "ja"):  # words that meet have no space
        lines = [line for line in lines if back(line, language).count(" ") >= line.count(" ")]
    wrong = [line for line in lines if back(line, language) != line]
    assert wrong == []


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "8' x 10'"),
        ("en", '8" x 10" of it'),
        ("en", "It is 5' 11\" here."),
        ("de", "Er ist 5' 11\" lang und mag Rock 'n' Roll."),
        ("en", "He said 'yes' and the dogs' house, rock 'n' roll in the '90s."),
        ("en", 'They said: "No!" and "Why?" again.'),
        ("en", '"Yes," he said, "I don\'t."'),
        ("it", "un po' stanco"),
        ("it", "un po' qui e un po' là"),
        ("ru", "«Стой!»"),
        ("ru", "«Стой», — сказал он „тихо“."),
        ("fr", "« Bon », dit-il."),
        ("de", "„Ja“, sagte er, „das ‚Haus‘ ist alt.“"),
        ("de", "»Ja«, sagte er."),
        ("sv", "”Ja”, sade han."),
        ("en", "“Yes,” he said, ‘don’t’."),
        ("ja", "「はい。」（元気）"),
        ("zh", "“你好”，他说：《书》！"),
        ("zh", "他说：“你好，世界！”（2020年）“一”“二”——三……"),
        ("de", "20°C kosten 5 €, nicht 30°C."),
        ("ca", "col·lecció d'aigua"),
        ("en", "soft\u00adhyphen zero\u200bwidth a\u2060b a\u200eb"),
        ("ar", "نعم.\u200f"),
        ("he", "(\u200fשלום\u200f)"),
        ("en", "x\u0301y e\u0323\u0301, a\u0308\u0323."),
        ("en", "version 1.2.3, 1:2, 10–20, +49 30 1, a_b @name #tag"),
    ],
)
def test_what_stands_beside_what(language: str, line: str) -> None:
    assert back(line, language) == unicodedata.normalize("NFC", line)
