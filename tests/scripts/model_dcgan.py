# tolerance: 1e-3
# A model as people write it: it trains, and prints the same.
import torch, torch.nn as nn
torch.manual_seed(0)
nz, ngf, ndf, nc = 8, 4, 4, 1
def weights_init(m):
    classname = m.__class__.__name__
    if classname.find('Conv') != -1:
        nn.init.normal_(m.weight.data, 0.0, 0.02)
    elif classname.find('BatchNorm') != -1:
        nn.init.normal_(m.weight.data, 1.0, 0.02)
        nn.init.constant_(m.bias.data, 0)
class Generator(nn.Module):
    def __init__(self):
        super(Generator, self).__init__()
        self.main = nn.Sequential(
            nn.ConvTranspose2d(nz, ngf * 2, 4, 1, 0, bias=False), nn.BatchNorm2d(ngf * 2), nn.ReLU(True),
            nn.ConvTranspose2d(ngf * 2, ngf, 4, 2, 1, bias=False), nn.BatchNorm2d(ngf), nn.ReLU(True),
            nn.ConvTranspose2d(ngf, nc, 4, 2, 1, bias=False), nn.Tanh())
    def forward(self, input): return self.main(input)
class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(
            nn.Conv2d(nc, ndf, 4, 2, 1, bias=False), nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(ndf, ndf * 2, 4, 2, 1, bias=False), nn.BatchNorm2d(ndf * 2), nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(ndf * 2, 1, 4, 1, 0, bias=False), nn.Sigmoid())
    def forward(self, input): return self.main(input)
netG, netD = Generator(), Discriminator()
netG.apply(weights_init); netD.apply(weights_init)
print(netG); print(netD)
criterion = nn.BCELoss()
fixed_noise = torch.randn(4, nz, 1, 1)
optD = torch.optim.Adam(netD.parameters(), lr=2e-3, betas=(0.5, 0.999))
optG = torch.optim.Adam(netG.parameters(), lr=2e-3, betas=(0.5, 0.999))
for i in range(4):
    netD.zero_grad()
    real = torch.rand(4, nc, 16, 16) * 2 - 1
    label = torch.full((4,), 1., dtype=torch.float)
    output = netD(real).view(-1)
    errD_real = criterion(output, label); errD_real.backward(); D_x = output.mean().item()
    noise = torch.randn(4, nz, 1, 1)
    fake = netG(noise); label.fill_(0.)
    output = netD(fake.detach()).view(-1)
    errD_fake = criterion(output, label); errD_fake.backward(); optD.step()
    netG.zero_grad(); label.fill_(1.)
    output = netD(fake).view(-1)
    errG = criterion(output, label); errG.backward(); optG.step()
    print('[%d] Loss_D: %.3f Loss_G: %.3f D(x): %.3f' % (i, (errD_real + errD_fake).item(), errG.item(), D_x))
with torch.no_grad(): fake = netG(fixed_noise).detach().cpu()
print(fake.shape, round(fake.std().item(), 3))
