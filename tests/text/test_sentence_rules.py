"""What ends a sentence in running text.

Each case is a text with a bar where one sentence ends and the next begins; the bar, and with
" | " one of its spaces, is not in the text.
"""

import pytest

from commonground.text import split

RULES = {
    "plain": [
        "The river rose overnight. | The bridge held.",
        "Is the bridge open? | Nobody could say. | Stay away!",
        "The mayor spoke. | 40 people listened. | 3.5 million watched.",
        "no capital letters here. | they still end.",
        "really? | i think so! | we saw it.",
        "THE BRIDGE IS CLOSED. | NO TRAFFIC. | STAY AWAY!",
        "a text without any punctuation at all",
        "Bridge",
        "The council did so. | Work came in. | Nobody paid the tax. | Prices rose this week.",
        "She told me. | Ask us all. | It is a long story. | Sales were low. | Some fell in York.",
        'the man died . | he was 30 . | " he was kind , " she said .',
    ],
    "titles": [
        "Mr. Hale met Mrs. Ortiz and Ms. Lund. | Dr. Reyes left early.",
        "Sen. Ada Cole thanked Gov. Ruiz. | Rep. Tom Hart did not.",
        "Gen. Marsh and Lt. Col. Ames saluted Prof. Weiss. | Adm. Bell smiled.",
        "They moved to St. Louis near Ft. Worth. | Mt. Hood was far.",
        "Sens. Cole and Hart met Reps. Diaz and Wong. | Atty. Gen. Moss spoke.",
        "The union sent a rep. | The firm sent none.",
        "MR. HALE MET DR. REYES. | THEY SPOKE.",
    ],
    "initials": [
        "J. R. R. Tolkien wrote it. | George W. Bush read it.",
        "Susan B. Anthony and W. E. B. Du Bois agreed. | T. S. Eliot did not.",
        "They chose plan B. | The mayor preferred plan A. | It was cheaper.",
        "Oranges hold vitamin C. | He eats them. | So does J. A. Smith.",
    ],
    "countries and parties": [
        "The U.S. economy grew. | The U.K. economy shrank.",
        "He left the U.S. | He never returned.",
        "She moved to the U.S. | It's her home. | They like the U.S. | Don't they?",
        "The U.S. Senate met U.S. Secretary Moss. | U.N. Ambassador Lee came.",
        "Ada Cole, R-Ariz., and Tom Hart, D-Calif., agreed. | So did Al Moss (I-Vt.).",
        "Ada Cole, R-Fla. publicly said no. | Her rival lives in Seattle, Wash. | The race is on.",
        "Mass. General is full. | They went to mass. | Nobody fell ill. | Give it a wash. | Done.",
        "The L.G.B.T. community met in Washington, D.C. | The mayor came.",
        "The E.U.-led mission ended. | The U.S.' ally left. | Hale Jr.'s book sold.",
        "Moss lives in Napa, CA. | Write to him. | MS. HALE, NO. 5, VS. LUND, CA. 1900. | FINE.",
        "He joined the U.S.A. team. | Ph.D. students cheered.",
    ],
    "times and dates": [
        "It began on Jan. 6 and ended on Sept. 30. | Nobody came in Feb. | They came in March.",
        "We met at 5 p.m. Monday. | We left at 9 a.m. Eastern. | It was 5 p.m. ET then.",
        "He arrived at 5 p.m. | Nobody had time. | He left at 6 a.m. | Police followed.",
        "It fell at 10:30 a.m. Hawaii time. | It rose at 5 p.m. New York time.",
        "The vote is on Tues. Nov. 3. | Bring a friend.",
        "It was built in 1999. | In 2004 it burned. | Item 5. and item 6. are missing.",
    ],
    "companies and Latin": [
        "Hale Inc. and Lund Corp. merged. | Moss Co. did not.",
        "Hale Inc. reported a loss. | So did Lund Corp. | The market fell.",
        "Bring pens, paper, etc. | Others have none. | He packed food, etc. and left.",
        "Some cities, e.g. Rome, i.e. the old ones, flooded. | Hale vs. Lund was heard.",
        "Brown v. Board changed schools. | Weiss et al. agreed. | Lund et al. | The court did too.",
        "The case is Hale vs. The City. | Some, i.e. The Hague, agreed. | Prop. 8 won.",
        "He holds a Ph.D. in law. | She has a B.Sc. | They met in court.",
    ],
    "numbers": [
        "See No. 5 and Nos. 6 and 7. | The answer was no. | Nobody asked again.",
        "See art. 3, fig. 2, sec. 4 and p. 17. | She studied art. | We ate a fig. | Then we left.",
        "It cost $3.50. | We paid 4.7 percent. | Version v1.2.3 works. | So does 10.0.0.1.",
        "Under § 3.2 and Sec. 4.1 it is legal. | Vol. II says so.",
        "See app. 3 for more. | Open the app. | Then wait.",
        "The fund rose to $5. | Analysts cheered. | It fell 2%. | They wept.",
    ],
    "addresses and file names": [
        "Visit www.example.com. | Then call us.",
        "See https://example.com/a.b?c=D.E&f=G! | It works.",
        "Write to ada.cole@example.com. | She answers.",
        "Open report.final.pdf or notes.txt. | Node.js and example.Com are names.",
        "He said it all! | https://example.com/x has it. | It ended in 2008. | www.example.com",
    ],
    "no space after the full stop": [
        "They met on Monday.|The mayor left.|Nobody followed.",
        "It was over!|Then it rained.|Was it?|He said so.",
        "It ended in 2018.|The town changed.",
        "It is on the Champs-Élysées.|Its owner is old.",
        "He read it all (twice).|Then he slept.",
        "He came to the EU.|It was cold.|Executive privilege is old.",
        "They saw Ms.Hale and St.Louis and Mr.Moss.",
        'He said it was done.|"We are glad," she said.',
        '"It is done."|The crowd left.',
        "It ended in May.|'The town changed,' he said.",
        "Use System.Out.Print() or my_list.Add or foo@bar.The now.",
    ],
    "ellipses": [
        "Wait... what? | It ended... | The next day it rained.",
        "They came … and then they left. | It was over… | Nobody cried.",
        "He said that the ... Senate would vote. | We thought so ... | But it did not.",
        "Well... I think so. | Well. . . they left. | It was so. . . . | They left.",
        "It is over. | ... I know that it is.",
    ],
    "exclamations and questions": [
        "What?! | You did?? | Yes!!! | Oh?!? | Fine.",
        "No ! ! ! | Really ? ! | He did.",
        "Shares of Yahoo! fell. | The Which One? page is gone.",
        "Really‽ | Yes‼ | 5 people came.",
    ],
    "quotes": [
        'He said "Stop." and left. | "Is it over?" she asked. | "Go!" he cried.',
        '"We won." | The crowd cheered. | "We lost," he said.',
        '"It rained. | It poured. | We left," she said. | "So did we."',
        "“It rained.” | “Did it?” | “Yes!” he said.",
        "‘It rained.’ | She nodded. | «Il pleut.» | Elle rit. | „Es regnet.” | Er ging.",
        '"Why now?" Cole asked. | "Stop it!" Mr. Hale tweeted on Monday.',
        '"Why now?" Sen. Ada Cole, R-Ariz., asked. | "Why not?" I said.',
        '"Why now?" | Cole said that she would wait. | "Stop!" | The crowd ran.',
        'He called it "the best of the U.S." | Nobody agreed. | He likes "art." | Fine.',
        '"Go. " | Then they left.',
        "**It rained.** | We left. | *Why?* | _Nobody knew._",
    ],
    "brackets": [
        "The plan (see Fig. 2. It is old.) failed. | Nobody wept.",
        "He left. | (He came back. Then he left again.) | She stayed.",
        "The plan [which nobody read. Nobody!] failed. | He left (see the notes.) | Then he slept.",
        "The man (really?) Cole hired left. | The plan (who knew?) | It failed.",
        "Smiles help :) now. | They do. | An open ( bracket does not matter. | It does not.",
        "It is known.[12] | It is old.[3][4] | Fine.",
        "He left (as the [old. very old.] notes say. They do.) in May. | Then he slept.",
    ],
    "dashes": [
        '"Stop!" -- he cried. | She left, he said.',
        "It rained. – then it stopped. | We left.",
    ],
    "East Asian": [
        "第一句。|第二句！|第三句？|好",
        "「終わった。」と彼は言った。|「はい。」|「いいえ。」",
        "他说：“下雨了。|我们走吧。”",
        "ﾊｲ｡|ｲｲｴ｡",
        "비가 왔다. | 우리는 떠났다.",
    ],
    "other scripts": [
        "¿Qué pasa? | ¡Nada! | ¿De verdad? | Sí.",
        "הוא הלך. | היא נשארה? | כן.",
        "ذهب الرجل. | هل عاد؟ | نعم۔ | ثم نام.",
        "वह गया। | वह लौटा॥ | क्या वह खुश है? | हाँ।",
        "ሰላም ነው። | ደህና ነህ፧ | አዎ።",
        "Նա գնաց։ | Նա եկավ։",
        "သူသွားသည်။ | သူလာသည်။",
        "គាត់ទៅ។ | គាត់មក។",
        "Πού είναι\u037e | Εδώ.",
        "Он ушёл. | Она осталась! | Почему?",
    ],
    "emoji and symbols": [
        "Great! 😀 | He left. 🎉🎉 | Then she came. ❤️",
        "😀",
        "...",
        "!!!",
        "He left. *** @@@",
    ],
}
CASES = [(rule, case) for rule, cases in RULES.items() for case in cases]


@pytest.mark.parametrize(("rule", "case"), CASES, ids=[case[:40] for _, case in CASES])
def test_rule(rule, case):
    text = case.replace(" | ", " ").replace("|", "")
    assert [sentence.text for sentence in split(text)] == [part.strip() for part in case.split("|")]
