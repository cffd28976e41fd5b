"""Words and pairs that say nothing about what a record is about: grammar, courtesy and the small change of chat."""

from __future__ import annotations

_ENGLISH = """
a about above actually after again all also am an and any anything are aren't around as at back be because been
before being below between both but by can can't cannot could couldn't did didn't do does doesn't doing don't
done down during each either else ever every everything few for from further get gets getting give go goes going
gonna got had hadn't has hasn't have haven't having he her here hers him his how how's however i i'd i'll i'm
i've if in into is isn't it it's its itself just keep kind know let let's like lot made make makes many may
maybe me might mine more most much must my myself need needed needs never next no nor not now of off often ok okay on
once one ones only or other our ours out over per perhaps please put quite rather really right same say see seem
shall she should shouldn't since so some somehow something still such sure take tell than thank thanks that
that's the their theirs them then there there's these they thing things think this those though through thus to
together too toward try two under until up upon us use used uses using very via want wanted wants was wasn't way we we'd
we'll we're we've well were weren't what what's when where which while who whom whose why will with within
without won't would wouldn't yeah yes yet you you'd you'll you're you've your yours yep nope cool great good
nice fine alright perfect awesome sounds looks lgtm hi hello hey bye continue proceed ahead stop wait run start
show explain help remember recall ask asked asking question answer earlier previously last today tomorrow
yesterday work worked working works decide decided decision
mean meant means finish finished done wrong weird hmm hm huh oh ah oops sorry second third whatever anyway instead best
"""

_CHINESE_AND_JAPANESE = """
我们 你们 他们 她们 它们 咱们 大家 自己 什么 怎么 怎样 这么 那么 这个 那个 这些 那些 哪个 哪些 这里 那里 哪里
这样 那样 如何 为何 为什 么时 时候 是否 是不 不是 就是 还是 可是 但是 而是 或是 于是 可以 可能 能够 能不 不能
应该 应当 需要 想要 一下 一个 一些 一样 一直 一起 已经 曾经 之前 以前 以后 之后 现在 今天 昨天 明天 刚才 刚刚
然后 接着 继续 因为 所以 如果 虽然 而且 并且 或者 以及 还有 没有 有没 没什 么样 么办 怎办 的是 了吗 了呢 吗呢
好的 好吧 好呀 好啊 可否 谢谢 多谢 请问 请你 请帮 帮我 帮忙 麻烦 告诉 知道 觉得 认为 记得 回忆 看看 看一 说说
说一 给我 让我 我要 我想 你好 是的 对的 对吧 嗯嗯 不用 不要 不会 也不 的话 的吗 的呢 了一 的一 是什 是怎 做了
做的 用的 有的 上次 这次 那次 下次 当时 当初 到底 究竟 真的 非常 特别 比较 更加 最后 最近 关于 对于 由于 通过
根据 这是 那是 都是 也是 只是 要是 会不 要不 来着 起来 出来 下来 过来 一点 有点 点儿 些什 又是
又有 又要 又在 的问 为啥 是啥 啥意 咋办 咋样 咋回 没法 有啥 下一 上一 前一 后一 第一 第二 再来 再试 重来 换个 换一
什麼 這個 那個 我們
怎麼 為什 决定 定的 ます です した から ため こと もの それ これ あれ どれ どう なに する して いる ある ない
とは
"""

_ENGLISH_ORDERS = """
abort accept add again apply approve better big bigger branch broke broken bug bugs build builds cancel change changed
changes check checks clean cleaner cleanup clear close code command commands comment comments commit commits compact
compile complete continue copy correct create debug delete detail details diff document easier edit error errors execute
exit explain fail failed failing fails faster feature file files fix fixed fixes format function functions implement
improve improved issue issues line lines lint list log logs longer merge message messages move open option options
output part parts paste plan plans print problem problems project push pushed quit read reason recheck redo refactor
reformat reject remove rename repeat replace rerun resolve restart result results resume retry return reverse revert
review rewrite save send shorten shorter shown simpler simplify skip small smaller split start step steps
submit suggest summarise summarize summary test tested testing tests text translate tweak type types undo update
updated updates verify version write
"""

_CHINESE_ORDERS = """
提交 推送 合并 修复 修改 改掉 改回 重试 重做 重写 重跑 重新 撤销 撤回 取消 跳过 删除 删掉 添加
更新 检查 测试 试试 运行 执行 编译 构建 优化 简化 缩短 翻译 总结 解释 说明 列出 打开 关闭 保存
清理 清空 完成 结束 退出 代码 文件 函数 报错 错误 问题 失败 步骤 方案 选项 结果 输出 注释 格式 文档 版本 简单
别的
"""

_ASKING = "how what what's which where where's why when who whose"
_ASKING_IN_CHINESE = "怎么 怎样 什么 哪个 哪些 哪里 为何 如何 为什 多少 几个 谁来 咋办 咋样 为啥"

PARTICLES = frozenset("了的吗呢吧啊呀嘛还再就也都是有把被给请一下个次来去又没不这那它他我你您们点些几很太")
"""Characters that stand between the words of a Chinese order."""

ORDER_WORDS = frozenset((_ENGLISH_ORDERS + _CHINESE_ORDERS).split())
"""What people say to an agent about the work at hand, "push it" or 重新提交. A prompt of nothing else names no topic;
beside other words, or in a question, they count as any word does."""

ASKING_WORDS = frozenset((_ASKING + " " + _ASKING_IN_CHINESE).split())
"""With one of these, "how do we commit" is a question about the project and no order."""

STOP_WORDS = frozenset(_ENGLISH.split())
"""English; courtesies and orders to the agent count as such, since they say what to do and not with what."""

STOP_PAIRS = frozenset(_CHINESE_AND_JAPANESE.split())
"""Two-character pieces; one that joins the end of a word to the start of the next is rare in any record, so only real
words and their commonest seams are listed."""


def is_telling(gram: str) -> bool:
    """Whether a hit word, in the form in which prompts are searched for it, says what something is about."""
    return bool(gram) and gram not in STOP_WORDS and gram not in STOP_PAIRS
